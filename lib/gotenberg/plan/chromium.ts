import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import { GotenbergError } from "../base/errors.ts";
import { parseInteger } from "../base/go-values.ts";
import type { Form } from "../form/form.ts";
import { explainPage } from "./explain-page.ts";
import { finishingSteps, readFinishing, requireCompatible } from "./finishing.ts";
import { pageFieldNames, readPageFields } from "./page-fields.ts";
import { type FieldNames, type Plan, type Step, step } from "./plan.ts";

export type PageSource = "html" | "url" | "markdown";

/** What the routes of Chromium know of a request besides its form. */
export interface PageRequest {
  readonly form: Form;
  readonly source: PageSource;
  /** The texts of `header.html`, `footer.html` and, for Markdown, `index.html`. */
  readonly texts: ReadonlyMap<string, string>;
  readonly runsScripts: boolean;
}

/** Files that are not printed themselves. */
const pageFiles: readonly string[] = ["index.html", "header.html", "footer.html"];

const printFieldNames: FieldNames = {
  ...pageFieldNames,
  scale: "scale",
  page_ranges: "nativePageRanges",
  header_html: "header.html",
  footer_html: "footer.html",
};

const captureFieldNames: FieldNames = {
  ...pageFieldNames,
  width: "width",
  height: "height",
  quality: "quality",
  scale: "deviceScaleFactor",
  selector: "selector",
};

export function planPdf(request: PageRequest): Plan {
  const { form, texts } = request;
  const page = readPageFields(form);
  const landscape = form.bool("landscape", false);
  const printBackground = form.bool("printBackground", false);
  const scale = form.number("scale", 1);
  const singlePage = form.bool("singlePage", false);
  const width = form.inches("paperWidth", 8.5);
  const height = form.inches("paperHeight", 11);
  const marginTop = form.inches("marginTop", 0.39);
  const marginBottom = form.inches("marginBottom", 0.39);
  const marginLeft = form.inches("marginLeft", 0.39);
  const marginRight = form.inches("marginRight", 0.39);
  const margins = [marginTop, marginRight, marginBottom, marginLeft];
  const ranges = form.text("nativePageRanges");
  const prefersCss = form.bool("preferCssPageSize", false);
  const outline = form.bool("generateDocumentOutline", false);
  const tagged = form.bool("generateTaggedPdf", false);
  const finishing = readFinishing(form, { flattens: false });
  const source = readSource(request);
  form.validate();
  if (page.transparent === true && !printBackground) {
    throw new GotenbergError(400, "omitBackground requires printBackground set to true");
  }
  requireIncludes(request);
  requireCompatible(finishing);
  if (ranges !== "" && !/^[\d\s,-]+$/.test(ranges)) {
    throw new GotenbergError(
      400,
      `Chromium does not handle the page ranges '${ranges}' (nativePageRanges) syntax`,
    );
  }
  const header = texts.get("header.html");
  const footer = texts.get("footer.html");
  const print = step(
    "document/html-to-pdf",
    {
      ...page,
      page_size: `${decimal(width)}in x ${decimal(height)}in`,
      margin: margins.map((side) => `${decimal(side)}in`).join(" "),
      landscape,
      print_background: printBackground,
      scale,
      single_page: singlePage,
      prefer_css_page_size: prefersCss,
      outline,
      tagged: tagged || outline || finishing.formats.pdfUa,
      plain_margins: true,
      ...(ranges ? { page_ranges: ranges.replaceAll(/\s+/g, "") } : {}),
      // A page break begins a page of its own, which is not printed.
      ...(singlePage && !ranges ? { page_ranges: "1" } : {}),
      ...(header ? { header_html: header } : {}),
      ...(footer ? { footer_html: footer } : {}),
      ...sourceParams(request),
    },
    { naming: { kind: "none" }, fields: printFieldNames, ...source.parts },
  );
  return {
    source: source.plan,
    steps: [print, ...finishingSteps(finishing)],
    explain: (failure) => explainPage(failure, form),
  };
}

export function planScreenshot(request: PageRequest): Plan {
  const { form } = request;
  const page = readPageFields(form);
  const width = form.integer("width", 800);
  const height = form.integer("height", 600);
  const clip = form.bool("clip", false);
  const selector = form.text("selector");
  const format = form.parse("format", "png", (text) => {
    if (text === "png" || text === "jpeg" || text === "webp") return text;
    throw new Error("wrong value, expected either 'png', 'jpeg' or 'webp'");
  });
  const quality = form.parse("quality", 100, (text) => {
    const value = parseInteger(text);
    if (value < 0) throw new Error("value is negative");
    if (value > 100) throw new Error("value is superior to 100");
    return value;
  });
  form.bool("optimizeForSpeed", false);
  const scale = form.number("deviceScaleFactor", 1);
  const source = readSource(request);
  form.validate();
  requireIncludes(request);
  const capture: Step = step(
    "document/html-to-image",
    {
      ...page,
      width,
      height,
      full_page: !clip,
      format,
      quality: Math.max(1, quality),
      scale,
      ...(selector ? { selector } : {}),
      ...sourceParams(request),
    },
    { naming: { kind: "none" }, fields: captureFieldNames, ...source.parts },
  );
  return {
    source: source.plan,
    steps: [capture],
    explain: (failure) => explainPage(failure, form),
  };
}

interface Source {
  readonly plan: Plan["source"];
  readonly parts: Pick<Step, "parts">;
}

function readSource({ form, source }: PageRequest): Source {
  if (source === "url") {
    form.require("url");
    return { plan: { url: form.text("url") }, parts: {} };
  }
  const index = form.requireFile("index.html");
  if (source === "markdown") form.requireFiles([".md"]);
  const assets = new Map<string, UploadedFile>(form.assets());
  for (const name of pageFiles) {
    const file = form.file(name);
    for (const [given, stored] of assets) if (stored === file) assets.delete(given);
  }
  const parts = assets.size > 0 ? { parts: { assets: { zip: assets } } } : {};
  return { plan: { files: index ? [index] : [] }, parts };
}

function sourceParams({ source, runsScripts }: PageRequest): Record<string, unknown> {
  return {
    ...(source === "markdown" ? { markdown_includes: true } : {}),
    ...(runsScripts ? {} : { run_scripts: false }),
  };
}

/** Throws if the page includes Markdown files that the form does not have. */
function requireIncludes({ form, source, texts }: PageRequest): void {
  if (source !== "markdown") return;
  const html = texts.get("index.html") ?? "";
  const assets = form.assets();
  const missing = [...html.matchAll(/\{\{-?\s*toHTML\s+"([^"\n]+)"/g)]
    .map((match) => match[1] ?? "")
    .filter((name) => !assets.has(name));
  if (missing.length === 0) return;
  const names = missing.map((name) => `'${name}'`).join("\n");
  throw new GotenbergError(400, `Markdown file(s) not found: ${names}`);
}

/** A number as operations read lengths: with at most 6 decimals. */
function decimal(inches: number): string {
  return String(Number(inches.toFixed(6)));
}
