import { z } from "zod";
import { printToPdf } from "#lib/engines/chromium/print-to-pdf.ts";
import { readPageDocument } from "#lib/engines/chromium/read-document.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { defineOperation } from "../../define.ts";
import {
  margin,
  marginsFit,
  pageInputHeaders,
  printFields,
  toPrintRequest,
} from "../../fields/page/index.ts";
import { archiveInPlace } from "../../shared/pdf/archival/archive-in-place.ts";
import { themeNames } from "./themes.ts";
import { renderMarkdownFile } from "./worker-functions.ts";

/** A time that is much longer than any document needs. */
const renderTimeoutMs = 30_000;

export const markdownToPdf = defineOperation({
  id: "document/markdown-to-pdf",
  title: "Markdown to PDF",
  summary: "Print a Markdown or text file as a PDF, with a theme.",
  accepts: ["md", "txt"],
  params: z
    .strictObject({
      theme: z
        .enum(themeNames)
        .default("github")
        .describe(
          "The design: github, plain (black on white), serif (a book), modern (a report) or academic (a paper with numbered headings).",
        ),
      ...printFields,
      margin: margin("2cm"),
    })
    .refine(...marginsFit),
  example: { theme: "github", page_size: "A4" },
  sample: { input: "report.md", params: { theme: "modern" } },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["chromium"],
  inputHeaders: pageInputHeaders,
  async run({ input, params, work, signal }) {
    const { limits, network } = work;
    const { outputs, result: matter } = await callInWorker(renderMarkdownFile, {
      files: [input],
      options: { theme: params.theme, isPlainText: input.type.id === "txt" },
      work,
      signal,
      timeoutMs: renderTimeoutMs,
    });
    const [html] = outputs;
    if (!html) throw new Error("the worker wrote no document");
    const { url, requestedUrl } = input;
    const page = { ...html, url, requestedUrl, charset: "utf-8" };
    const { info, ...request } = toPrintRequest(params);
    const { output, warnings } = await printToPdf(work.output("pdf"), {
      ...request,
      limits,
      network,
      signal,
      info: { ...matter, ...info },
      document: await readPageDocument(page, limits),
    });
    warnings.push(...(await archiveInPlace(output, params.pdf_a, work, signal)));
    return { outputs: [output], warnings };
  },
});
