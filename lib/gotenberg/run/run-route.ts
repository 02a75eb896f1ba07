import { storeUpload, type UploadedFile } from "#lib/api/http/store-upload.ts";
import { GotenbergError, statusError } from "../base/errors.ts";
import { type GotenbergSettings, isAllowedUrl } from "../base/settings.ts";
import { Form, type FormContent } from "../form/form.ts";
import { readTexts } from "../form/read-form.ts";
import type { Plan } from "../plan/plan.ts";
import type { GotenbergRoute } from "../plan/routes.ts";
import type { Caller } from "./caller.ts";
import { zipFiles } from "./deliver.ts";
import { type PlanOutput, runPlan } from "./run-plan.ts";
import { waiting } from "./service-pages.ts";

/** What a request wants to be converted. */
export interface Conversion {
  readonly route: GotenbergRoute;
  readonly form: FormContent;
  /** The storage key of a file with a number that the form does not have. */
  readonly keyOf: (number: number) => string;
}

export type RouteResult =
  | { readonly kind: "files"; readonly outputs: readonly PlanOutput[] }
  | { readonly kind: "json"; readonly value: unknown };

/** Runs the plan of a route. Throws `GotenbergError`, `InterruptedError` and others. */
export async function runRoute(
  { route, form: content, keyOf }: Conversion,
  caller: Caller,
  settings: GotenbergSettings,
): Promise<RouteResult> {
  const form = new Form(content);
  const texts = await readTexts(form, route.texts ?? []);
  const plan = route.plan({ form, texts, runsScripts: settings.pages.runsScripts });
  requireAllowed(route, plan, settings);
  let zips = 0;
  const zip = async (files: ReadonlyMap<string, UploadedFile>) =>
    storeUpload(
      keyOf(20_000 + zips++),
      zipFiles(files),
      { filename: "assets.zip", contentType: "application/zip" },
      null,
    );
  waiting[route.group]++;
  try {
    const { outputs, results } = await runPlan(plan, { zip, caller });
    const { answer } = plan;
    if (!answer) return { kind: "files", outputs };
    const values = [...results].map(([name, result]) => [name, answer(result)]);
    return { kind: "json", value: Object.fromEntries(values) };
  } finally {
    waiting[route.group]--;
  }
}

/** Throws 403 for a page that the operator does not allow; an uploaded one counts as a local file. */
function requireAllowed(
  { group }: GotenbergRoute,
  { source }: Plan,
  { pages }: GotenbergSettings,
): void {
  if (group !== "chromium") return;
  const url = "url" in source ? source.url : "file:///tmp/gotenberg/index.html";
  if ("url" in source && /^file:/i.test(url)) {
    throw new GotenbergError(
      400,
      "file:// URLs are not accepted on this route. Use the /convert/html or /convert/markdown routes to render local HTML",
    );
  }
  if (!isAllowedUrl(url, pages)) throw statusError(403);
  if (!URL.canParse(url)) throw new GotenbergError(400, `Invalid URL: '${url}' is not complete`);
}
