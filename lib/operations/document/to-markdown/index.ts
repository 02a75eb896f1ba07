import { z } from "zod";
import { exportOffice } from "#lib/engines/libreoffice/libreoffice.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation, type InputFile, type OperationContext } from "../../define.ts";
import type { MarkdownOptions } from "./convert.ts";
import { outlineEntry } from "./report.ts";
import { convertToMarkdown } from "./worker-functions.ts";

/**
 * Converts a document to Markdown. All readers run in a sandboxed worker; the Markdown is GitHub's, with
 * `<!-- page 2 -->` where a page or slide begins, `<sup>` and `<sub>`, and equations as TeX between `$`.
 */
export const toMarkdown = defineOperation({
  id: "document/to-markdown",
  title: "Document to Markdown",
  summary:
    "Convert a document to Markdown, with its headings, lists, tables, links, pages and equations as TeX.",
  accepts: ["pdf", "docx", "pptx", "xlsx", "html", "epub", "eml", "msg"],
  params: z.strictObject({
    images: z
      .boolean()
      .default(false)
      .describe(
        "Whether the images in the document become further outputs, to which the Markdown links.",
      ),
  }),
  example: { images: false },
  sample: { input: "report.docx", params: {} },
  produces: () => "md",
  result: z.strictObject({
    outline: z.array(outlineEntry).describe("The headings, in order."),
  }),
  runsIn: "runner",
  requires: ["image", "libreoffice"],
  async run(context) {
    const first = await readMarkdown(context, context.input);
    if (!first.result.needsCalculation) return toOutputs(first);
    const { input, work, signal } = context;
    const output = work.scratch("xlsx");
    try {
      await exportOffice({ input, output, work, signal }, workbookExport);
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
      return toOutputs(first, ["Formulas without a stored result could not be calculated."]);
    }
    return toOutputs(await readMarkdown(context, output));
  },
});

/** LibreOffice calculates formulas without a result when it opens the file. */
const workbookExport = { export: "Calc MS Excel 2007 XML" };

function readMarkdown(
  { input, params, work, signal, progress }: OperationContext<{ images: boolean }>,
  file: WorkFile,
) {
  const options: MarkdownOptions = {
    type: input.type.id,
    ...(params.images ? { stem: stemOf(input) } : {}),
    ...(input.url ? { url: input.url } : {}),
    ...(input.charset ? { charset: input.charset } : {}),
  };
  return callInWorker(convertToMarkdown, {
    files: [file],
    options,
    work,
    signal,
    timeoutMs: work.limits.officeSeconds * 1000,
    onProgress: progress,
  });
}

function toOutputs(
  { outputs, result }: Awaited<ReturnType<typeof readMarkdown>>,
  warnings: readonly string[] = [],
) {
  return {
    outputs,
    result: { outline: result.outline },
    warnings: [
      ...describeEmpty(result.emptyPages),
      ...describeEquations(result.equationPages),
      ...(result.omitted.length > 0 ? [`Left out: ${result.omitted.join(", ")}.`] : []),
      ...warnings,
    ],
  };
}

/** The name of the input without its extension, as outputs have it. */
function stemOf({ filename }: InputFile): string {
  const dot = filename.lastIndexOf(".");
  return (dot > 0 ? filename.slice(0, dot) : filename) || "output";
}

function describeEmpty(pages: readonly number[]): string[] {
  if (pages.length === 0) return [];
  const advice = "If they are scanned, recognize their text first.";
  return [`These pages have no text: ${listPages(pages)}. ${advice}`];
}

/** A PDF has the places of the characters of an equation, not its structure. */
function describeEquations(pages: readonly number[]): string[] {
  if (pages.length === 0) return [];
  return [
    `These pages have equations, whose fractions, roots and matrices are plain text: ${listPages(pages)}.`,
  ];
}

function listPages(pages: readonly number[]): string {
  return `${pages.slice(0, 20).join(", ")}${pages.length > 20 ? " and more" : ""}`;
}
