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
import type { MarkdownOptions } from "./render-task.ts";
import { themeNames } from "./themes.ts";

/** Much more than any document needs. */
const renderTimeoutMs = 30_000;

const matterText = z.string().max(2000).optional();

/** What the worker reports of the document. */
const matterSchema = z.object({
  title: z.string().transform((title) => title.slice(0, 2000)),
  author: matterText,
  subject: matterText,
  keywords: matterText,
});

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
    const options: MarkdownOptions = { theme: params.theme, isPlainText: input.type.id === "txt" };
    const { outputs, result: matter } = await callInWorker({
      ...{
        module: "operations/document/markdown-to-pdf/render-task.ts",
        name: "renderMarkdownTask",
      },
      ...{ files: [input], options, work, signal, resultSchema: matterSchema },
      timeoutMs: renderTimeoutMs,
    });
    const [html] = outputs;
    if (!html) throw new Error("the worker wrote no document");
    const { url, requestedUrl } = input;
    const page = { ...html, url, requestedUrl, charset: "utf-8" };
    const { info, ...request } = toPrintRequest(params);
    const { output, warnings } = await printToPdf(work.output("pdf"), {
      ...{ ...request, limits, network, signal, info: { ...matter, ...info } },
      document: await readPageDocument(page, limits),
    });
    warnings.push(...(await archiveInPlace(output, params.pdf_a, work, signal)));
    return { outputs: [output], warnings };
  },
});
