import { z } from "zod";
import { defineOperation } from "../../define.ts";
import { pageSelection } from "../../fields/index.ts";
import * as functions from "../../shared/pdf/pages/worker-functions.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";

export const reorderPages = defineOperation({
  id: "document/reorder-pages",
  title: "Reorder pages",
  summary: "Change the order of the pages of a PDF.",
  accepts: ["pdf"],
  params: z.strictObject({
    order: pageSelection("Pages in their new order", {
      kind: "order",
      more: "Ranges may go down: last-1 reverses the document. Pages that are not listed follow in their order; pages after the end of the document are ignored.",
    }),
  }),
  example: { order: "last-1" },
  sample: { input: "brochure.pdf" },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf"],
  async run({ input, params, work, signal }) {
    const { outputs, warnings } = await rewritePdf(functions.reorderPages, {
      inputs: [input],
      options: params,
      work,
      signal,
    });
    return { outputs, warnings };
  },
});
