import { z } from "zod";
import { defineOperation } from "../../define.ts";
import { pageSelection } from "../../fields/index.ts";
import * as functions from "../../shared/pdf/pages/worker-functions.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";

export const extractPages = defineOperation({
  id: "document/extract-pages",
  title: "Extract pages",
  summary: "Save some pages of a PDF as a new PDF.",
  accepts: ["pdf"],
  params: z.strictObject({
    pages: pageSelection("Pages to keep", {
      more: "The output has each page once, in the order of the document. Pages after the end of the document are ignored.",
    }),
  }),
  example: { pages: "1" },
  sample: { input: "brochure.pdf", params: { pages: "2" } },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf"],
  async run({ input, params, work, signal }) {
    const { outputs, warnings } = await rewritePdf(functions.extractPages, {
      inputs: [input],
      options: params,
      work,
      signal,
    });
    return { outputs, warnings };
  },
});
