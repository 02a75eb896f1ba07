import type { KeyCaller } from "#lib/api/definition/access.ts";
import { requireConfirmedEmail } from "#lib/api/http/callers/authorize.ts";
import { storeUpload, type UploadedFile } from "#lib/api/http/store-upload.ts";
import { createId } from "#lib/ids.ts";
import { discardStagedUpload, stageUpload } from "#lib/jobs/accept/staged-uploads.ts";
import { inputKey } from "#lib/jobs/storage-keys.ts";
import { log } from "#lib/log.ts";
import { readRateState, requireRateBelowLimit } from "#lib/quotas/rate-limit.ts";
import { currentTrace } from "#lib/tracing/spans.ts";
import { GotenbergError, statusError } from "./base/errors.ts";
import { isAllowedUrl } from "./base/settings.ts";
import type { GotenbergCall } from "./call.ts";
import { downloadFiles } from "./form/download-files.ts";
import { Form } from "./form/form.ts";
import { type FormTarget, readForm, readTexts } from "./form/read-form.ts";
import type { Plan } from "./plan/plan.ts";
import type { GotenbergRoute } from "./plan/routes.ts";
import { requestedName } from "./requested-name.ts";
import { type Delivery, deliveryOf, zipFiles } from "./run/deliver.ts";
import { toGotenbergError } from "./run/explain-failure.ts";
import { runPlan } from "./run/run-plan.ts";
import { waiting } from "./run/service-pages.ts";
import { type Correlation, readWebhook, sendError, sendResult, type Webhook } from "./webhook.ts";

export type Answer =
  /** Call `release` when the file has been sent. */
  | {
      readonly kind: "file";
      readonly delivery: Delivery;
      readonly release?: () => Promise<void>;
    }
  | { readonly kind: "json"; readonly value: unknown }
  /** The result is sent to a webhook. */
  | { readonly kind: "accepted" };

/** Receives the form of a request, runs its plan and returns the answer. Throws `GotenbergError` and others. */
export async function convert(
  route: GotenbergRoute,
  caller: KeyCaller,
  call: GotenbergCall,
): Promise<Answer> {
  const { context, settings, trace } = call;
  const { request } = context;
  requireConfirmedEmail(caller.account);
  requireRateBelowLimit(await readRateState(caller.account));
  const staged = createId("job");
  await stageUpload(staged);
  const keyOf = (number: number) => inputKey(staged, `form-${number}`);
  const target: FormTarget = { account: caller.account, keyOf, maxBytes: settings.maxBodyBytes };
  const traceparent = readTraceparent(request.headers);
  const correlation = { header: settings.traceHeader, id: trace, traceparent };
  let isDetached = false;
  try {
    const received = await readForm(request, target);
    context.record.body = {
      encoding: "multipart",
      fields: Object.fromEntries(received.values),
      files: [...received.files.values()].map(({ field, stored }) => ({
        field,
        filename: stored.filename,
        bytes: stored.bytes,
      })),
    };
    const downloads = { ...target, firstNumber: 10_000, signal: request.signal };
    const headers = { [settings.traceHeader.toLowerCase()]: trace, ...currentTrace() };
    await downloadFiles(received, downloads, settings, headers);
    const webhook = readWebhook(request.headers, settings);
    const work = (signal: AbortSignal) =>
      runRoute(route, new Form(received), { caller, call, keyOf, signal });
    if (!webhook) {
      const answer = await work(request.signal);
      if (answer.kind !== "file") return answer;
      isDetached = true;
      return { ...answer, release: () => discardStagedUpload(staged) };
    }
    const send = async () => {
      const answer = await work(new AbortController().signal).catch(toGotenbergError);
      await sendAnswer(webhook, answer, correlation, settings);
    };
    if (settings.webhooks.isSynchronous) await send();
    else {
      isDetached = true;
      send()
        .catch((err) => log.error({ err, trace }, "webhook of Gotenberg's API failed"))
        .finally(() => discardStagedUpload(staged));
    }
    return { kind: "accepted" };
  } finally {
    if (!isDetached) await discardStagedUpload(staged);
  }
}

/** The caller's trace, if it is valid (W3C Trace Context). */
function readTraceparent(headers: Headers): string | undefined {
  const value = headers.get("traceparent") ?? "";
  return /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(value) ? value : undefined;
}

interface RouteRun {
  readonly caller: KeyCaller;
  readonly call: GotenbergCall;
  readonly keyOf: (number: number) => string;
  readonly signal: AbortSignal;
}

async function runRoute(route: GotenbergRoute, form: Form, run: RouteRun): Promise<Answer> {
  const { caller, call, keyOf, signal } = run;
  const { context, settings, startedAt, onJob } = call;
  const texts = await readTexts(form, route.texts ?? []);
  const plan = route.plan({ form, texts, runsScripts: settings.pages.runsScripts });
  requireAllowed(route, plan, call);
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
    const { outputs, results } = await runPlan(plan, {
      zip,
      caller: {
        account: caller.account,
        apiKeyId: caller.apiKeyId,
        requestId: context.requestId,
        endsAt: startedAt + settings.timeoutMs,
        signal,
        onJob,
      },
    });
    const { answer } = plan;
    if (!answer) {
      return { kind: "file", delivery: deliveryOf(outputs, requestedName(context.request)) };
    }
    const values = [...results].map(([name, result]) => [name, answer(result)]);
    return { kind: "json", value: Object.fromEntries(values) };
  } finally {
    waiting[route.group]--;
  }
}

/** Throws 403 for a page that the operator does not allow; an uploaded one counts as a local file. */
function requireAllowed({ group }: GotenbergRoute, { source }: Plan, call: GotenbergCall): void {
  if (group !== "chromium") return;
  const { pages } = call.settings;
  const url = "url" in source ? source.url : "file:///tmp/gotenberg/index.html";
  if ("url" in source && /^file:/i.test(url)) {
    throw new GotenbergError(
      400,
      "file:// URLs are not accepted on this route. Use the /convert/html or /convert/markdown routes to render local HTML",
    );
  }
  if (!isAllowedUrl(url, pages)) throw statusError(403);
}

async function sendAnswer(
  webhook: Webhook,
  answer: Answer | GotenbergError,
  correlation: Correlation,
  settings: GotenbergCall["settings"],
): Promise<void> {
  const fail = (error: GotenbergError) => sendError(webhook, error, correlation, settings);
  if (answer instanceof GotenbergError) return fail(answer);
  if (answer.kind !== "file") {
    return fail(
      new GotenbergError(
        400,
        "The webhook middleware can only work with multipart/form-data routes that results in output files",
      ),
    );
  }
  const error = await sendResult(webhook, answer.delivery, correlation, settings);
  if (error !== undefined) await fail(toGotenbergError(error));
}
