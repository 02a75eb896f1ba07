import type { RouteGroup } from "../base/settings.ts";
import type { Form } from "../form/form.ts";
import { planReadBookmarks, planWriteBookmarks } from "./bookmarks.ts";
import { planPdf, planScreenshot } from "./chromium.ts";
import { planOffice } from "./libreoffice.ts";
import {
  planConvert,
  planEmbed,
  planEncrypt,
  planFlatten,
  planInvoice,
  planMerge,
  planOptimize,
  planReadMetadata,
  planRotate,
  planSplit,
  planStamp,
  planWriteMetadata,
} from "./pdf-engines.ts";
import type { Plan } from "./plan.ts";

export interface PlanRequest {
  readonly form: Form;
  readonly texts: ReadonlyMap<string, string>;
  /** Whether scripts of pages run: the operator may forbid it. */
  readonly runsScripts: boolean;
}

export interface GotenbergRoute {
  readonly group: RouteGroup;
  /** The files whose text the plan needs. */
  readonly texts?: readonly string[];
  readonly plan: (request: PlanRequest) => Plan;
}

const margins = ["header.html", "footer.html"];

const chromium = (
  plan: GotenbergRoute["plan"],
  texts: readonly string[] = margins,
): GotenbergRoute => ({ group: "chromium", texts, plan });

const pdf = (plan: (form: Form) => Plan): GotenbergRoute => ({
  group: "pdfengines",
  plan: ({ form }) => plan(form),
});

/** The routes that convert files, by their paths below the root path. */
export const routes: ReadonlyMap<string, GotenbergRoute> = new Map([
  ["forms/chromium/convert/html", chromium((request) => planPdf({ ...request, source: "html" }))],
  ["forms/chromium/convert/url", chromium((request) => planPdf({ ...request, source: "url" }))],
  [
    "forms/chromium/convert/markdown",
    chromium((request) => planPdf({ ...request, source: "markdown" }), [...margins, "index.html"]),
  ],
  [
    "forms/chromium/screenshot/html",
    chromium((request) => planScreenshot({ ...request, source: "html" }), []),
  ],
  [
    "forms/chromium/screenshot/url",
    chromium((request) => planScreenshot({ ...request, source: "url" }), []),
  ],
  [
    "forms/chromium/screenshot/markdown",
    chromium((request) => planScreenshot({ ...request, source: "markdown" }), ["index.html"]),
  ],
  ["forms/libreoffice/convert", { group: "libreoffice", plan: ({ form }) => planOffice(form) }],
  ["forms/pdfengines/merge", pdf(planMerge)],
  ["forms/pdfengines/split", pdf(planSplit)],
  ["forms/pdfengines/convert", pdf(planConvert)],
  ["forms/pdfengines/flatten", pdf(planFlatten)],
  ["forms/pdfengines/optimize", pdf(planOptimize)],
  ["forms/pdfengines/encrypt", pdf(planEncrypt)],
  ["forms/pdfengines/metadata/read", pdf(planReadMetadata)],
  ["forms/pdfengines/metadata/write", pdf(planWriteMetadata)],
  ["forms/pdfengines/bookmarks/read", pdf(planReadBookmarks)],
  ["forms/pdfengines/bookmarks/write", pdf(planWriteBookmarks)],
  ["forms/pdfengines/embed", pdf(planEmbed)],
  ["forms/pdfengines/watermark", pdf((form) => planStamp(form, "watermark"))],
  ["forms/pdfengines/stamp", pdf((form) => planStamp(form, "stamp"))],
  ["forms/pdfengines/rotate", pdf(planRotate)],
  ["forms/pdfengines/factur-x", pdf(planInvoice)],
]);
