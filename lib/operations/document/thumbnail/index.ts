import { z } from "zod";
import { defineOperation } from "../../define.ts";
import { officeDocuments } from "../../fields/index.ts";
import { renderPageImage } from "../../shared/to-pdf/page-image.ts";

export const documentThumbnail = defineOperation({
  id: "document/thumbnail",
  title: "Document thumbnail",
  summary: "Make an image of one page of a PDF, an office document or an HTML page.",
  accepts: ["pdf", ...officeDocuments, "html"],
  params: z.strictObject({
    width: z
      .number()
      .int()
      .min(16)
      .max(4096)
      .default(400)
      .meta({ description: "Width of the image. Its height follows from the page.", unit: "px" }),
    page: z.number().int().min(1).max(100_000).default(1).describe("Number of the page."),
  }),
  example: { width: 320 },
  sample: { input: "report.docx", params: {} },
  produces: () => "png",
  runsIn: "runner",
  requires: ["poppler", "libreoffice", "chromium"],
  async run({ input, params, work, signal, progress }) {
    progress(10);
    return { outputs: [await renderPageImage(input, params, work.output("png"), work, signal)] };
  },
});
