import { z } from "zod";
import type { MarkdownOptions } from "#lib/engines/markdown/convert.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { defineOperation, type InputFile } from "../../define.ts";

const outlineEntry = z.strictObject({
  level: z.number().int().min(1).max(6),
  text: z.string(),
  page: z.number().int().min(1).optional().describe("The page or slide, from 1."),
});

const reportSchema = z.object({
  outline: z.array(outlineEntry),
  emptyPages: z.array(z.number().int().positive()),
});

/**
 * Converts a document to Markdown. All readers run in a sandboxed worker; the Markdown is GitHub's, with
 * `<!-- page 2 -->` where a page or slide begins.
 */
export const toMarkdown = defineOperation({
  id: "document/to-markdown",
  title: "Document to Markdown",
  summary: "Convert a document to Markdown, with its headings, lists, tables, links and pages.",
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
  requires: ["image"],
  async run({ input, params, work, signal, progress }) {
    const options: MarkdownOptions = {
      type: input.type.id,
      ...(params.images ? { stem: stemOf(input) } : {}),
      ...(input.url ? { url: input.url } : {}),
      ...(input.charset ? { charset: input.charset } : {}),
    };
    const { outputs, result } = await callInWorker({
      module: "engines/markdown/convert.ts",
      name: "convertToMarkdown",
      files: [input],
      options,
      resultSchema: reportSchema,
      work,
      signal,
      timeoutMs: work.limits.officeSeconds * 1000,
      onProgress: progress,
    });
    return {
      outputs,
      result: { outline: result.outline },
      warnings: describeEmpty(result.emptyPages),
    };
  },
});

/** The name of the input without its extension, as outputs have it. */
function stemOf({ filename }: InputFile): string {
  const dot = filename.lastIndexOf(".");
  return (dot > 0 ? filename.slice(0, dot) : filename) || "output";
}

function describeEmpty(pages: readonly number[]): string[] {
  if (pages.length === 0) return [];
  const listed = pages.slice(0, 20).join(", ");
  const more = pages.length > 20 ? " and more" : "";
  return [
    `These pages have no text: ${listed}${more}. If they are scanned, recognize their text first.`,
  ];
}
