import { z } from "zod";
import { defineOperation } from "../../define.ts";
import { pageSelection } from "../../fields/index.ts";
import { splitFile } from "../../shared/pdf/pages/worker-functions.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";

export const splitPdf = defineOperation({
  id: "document/split-pdf",
  title: "Split PDF",
  summary: "Split a PDF into several: at page ranges, every few pages, or at its bookmarks.",
  accepts: ["pdf"],
  params: z
    .strictObject({
      ranges: pageSelection("Pages of each part, separated by commas", {
        kind: "parts",
        more: "Pages in no range are left out.",
      }).optional(),
      pages: pageSelection("Pages that each become a part", {
        more: "The others are left out.",
      }).optional(),
      every: z
        .number()
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe(
          "Pages of each part. The default is 1 if none of ranges, pages and bookmarks is set.",
        ),
      bookmarks: z
        .boolean()
        .default(false)
        .describe("Whether a part starts at each top-level bookmark. It is named after it."),
    })
    .refine(
      ({ ranges, pages, every, bookmarks }) =>
        [ranges !== undefined, pages !== undefined, every !== undefined, bookmarks].filter(Boolean)
          .length <= 1,
      {
        path: ["ranges"],
        error: "cannot be combined: set one of `ranges`, `pages`, `every` and `bookmarks`",
      },
    ),
  example: { every: 2 },
  sample: { input: "brochure.pdf", params: { bookmarks: true } },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf"],
  async run({ input, params, work, signal, progress }) {
    const { outputs, warnings } = await rewritePdf(splitFile, {
      inputs: [input],
      options: params,
      work,
      signal,
      onProgress: progress,
    });
    return { outputs, warnings };
  },
});
