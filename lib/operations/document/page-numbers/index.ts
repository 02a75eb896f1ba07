import { z } from "zod";
import { countPages } from "#lib/engines/pdf/run-qpdf.ts";
import { defineOperation } from "../../define.ts";
import { anchorOf, color, pageSelection, position } from "../../fields/index.ts";
import { drawStamps } from "../../shared/pdf/overlay/worker-functions.ts";
import { selectPages } from "../../shared/pdf/page-selection.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";
import { printLabels } from "./print-labels.ts";

export const pageNumbers = defineOperation({
  id: "document/page-numbers",
  title: "Page numbers",
  summary: "Print page numbers on the pages of a PDF.",
  accepts: ["pdf"],
  params: z.strictObject({
    format: z
      .string()
      .min(1)
      .max(100)
      .refine((text) => text.isWellFormed(), "must be valid Unicode")
      .default("{page} / {pages}")
      .describe(
        "Text of each page, in any script. {page} becomes its number and {pages} the number of the last page.",
      ),
    position: position("bottom"),
    start: z
      .number()
      .int()
      .min(-100_000)
      .max(100_000)
      .default(1)
      .describe(
        "Number of the first page of the document. With 0, the page after a cover is page 1.",
      ),
    font_size: z.number().min(4).max(72).default(10).meta({
      description: "Size of the text.",
      unit: "pt",
    }),
    color: color("#333333"),
    margin: z.number().min(0).max(500).default(24).meta({
      description: "Distance from the edges of the page.",
      unit: "pt",
    }),
    pages: pageSelection("Pages that get a number", {
      more: "The default is all pages.",
    }).optional(),
  }),
  example: { format: "{page} / {pages}", position: "bottom" },
  sample: {
    input: "contract.pdf",
    params: { format: "Page {page} of {pages}", position: "bottom" },
  },
  produces: () => "pdf",
  live: "page",
  runsIn: "runner",
  requires: ["qpdf", "chromium"],
  async run({ input, params, work, signal }) {
    const { position, margin, pages, start, format } = params;
    const anchor = anchorOf(position);
    const info = await countPages(input, work, signal);
    const last = info.pages + start - 1;
    const texts = selectPages(pages, info.pages).map((index) =>
      format.replaceAll(
        /\{(page|pages)\}/g,
        (_, name) => `${name === "page" ? index + start : last}`,
      ),
    );
    const labels = await printLabels({ ...params, texts, anchor }, work, signal);
    const { outputs, warnings } = await rewritePdf(drawStamps, {
      inputs: [input],
      options: { anchor, margin, pages },
      files: [labels],
      work,
      signal,
    });
    return { outputs, warnings };
  },
});
