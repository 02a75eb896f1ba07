import { z } from "zod";
import { readPageInfo } from "#lib/engines/pdf/qpdf.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import { countResult } from "../../result-fields.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";
import { compressPdf as compress } from "./compress-pdf.ts";

/** The resolution of images, in pixels per inch, and their quality as JPEG. */
const levels = {
  low: { ppi: 110, quality: 45 },
  medium: { ppi: 200, quality: 70 },
  high: { ppi: 300, quality: 82 },
} as const;

export const compressPdf = defineOperation({
  id: "document/compress-pdf",
  title: "Compress PDF",
  summary:
    "Make a PDF smaller: encode its pictures again, compress its objects, drop what is unused.",
  accepts: ["pdf"],
  params: z.strictObject({
    quality: z
      .enum(["low", "medium", "high"])
      .default("medium")
      .describe(
        `Quality of pictures: low for screens (${levels.low.ppi} pixels per inch), medium for reading and office printers (${levels.medium.ppi}), high for print (${levels.high.ppi}). Text, drawings, links, bookmarks and forms always stay as they are.`,
      ),
    image_quality: z.int().min(1).max(100).optional().meta({
      description: "Quality of pictures as JPEG, instead of that of the level.",
      control: "slider",
    }),
  }),
  example: { quality: "medium" },
  sample: { input: "brochure.pdf", params: { quality: "low" } },
  produces: () => "pdf",
  result: z.strictObject({
    input_bytes: countResult("Bytes of the input."),
    output_bytes: countResult("Bytes of the output."),
    images: countResult("Number of pictures that were encoded again."),
  }),
  runsIn: "runner",
  requires: ["qpdf", "poppler", "image"],
  async run({ input, params, work, signal, progress }) {
    const { pages, encrypted, linearized } = await readPageInfo(input, work, signal);
    const output = work.output("pdf");
    const level = levels[params.quality];
    const { images } = await compress(
      {
        input,
        output,
        encrypted,
        linearized,
        ...level,
        quality: params.image_quality ?? level.quality,
        onProgress: progress,
      },
      work,
      signal,
    );
    const { size } = await statRegular(output.path);
    const isSmaller = size < input.bytes;
    const result = { input_bytes: input.bytes, output_bytes: size, images };
    const warnings = isSmaller ? await signatureWarnings(input) : [];
    return { outputs: [{ ...output, pages }], result, warnings };
  },
});
