import { z } from "zod";
import { defineOperation } from "../../define.ts";
import { pageSelection } from "../../fields/index.ts";
import { rotatePages } from "../../shared/pdf/pages/worker-functions.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";

export const rotatePdf = defineOperation({
  id: "document/rotate-pdf",
  title: "Rotate PDF",
  summary: "Rotate all pages of a PDF, or the pages that you choose.",
  accepts: ["pdf"],
  params: z.strictObject({
    angle: z.literal([90, 180, 270]).meta({
      description: "Clockwise angle, in addition to the rotation that a page already has.",
      unit: "°",
    }),
    pages: pageSelection("Pages to turn", { more: "The default is all pages." }).optional(),
  }),
  example: { angle: 90 },
  sample: { input: "brochure.pdf" },
  produces: () => "pdf",
  live: "page",
  runsIn: "runner",
  requires: ["qpdf"],
  async run({ input, params, work, signal }) {
    const { outputs, warnings } = await rewritePdf(rotatePages, {
      inputs: [input],
      options: params,
      work,
      signal,
    });
    return { outputs, warnings };
  },
});
