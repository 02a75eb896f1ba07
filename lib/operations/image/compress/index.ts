import { z } from "zod";
import { defineOperation } from "../../define.ts";
import { images, optionalQuality } from "../../fields/index.ts";
import { countResult } from "../../result-fields.ts";
import { compressImage } from "./compress-image.ts";
import { compressedFormats } from "./levels.ts";

export const compress = defineOperation({
  id: "image/compress",
  title: "Compress image",
  summary:
    "Make an image file smaller: choose a quality, a file size or a similarity to the original.",
  accepts: images,
  params: z
    .strictObject({
      quality: optionalQuality(),
      max_bytes: z.number().int().min(1000).max(1_000_000_000).optional().meta({
        description:
          "Size of the file in bytes that is never exceeded. The result has the best quality that fits. If no quality fits, the image is also made smaller in width and height.",
      }),
      ssim: z.number().min(0.5).max(1).optional().meta({
        description:
          "Structural similarity to the original, from 0.5 to 1. The result is the smallest file that is at least as similar. The default is 0.98, which looks the same, if neither quality nor max_bytes is given.",
      }),
      format: z
        .enum([...compressedFormats, "best"])
        .optional()
        .meta({
          description:
            "Format of the result. The default is the format of the image. best is the smallest of avif, webp, jpeg and png; with max_bytes, the most similar one.",
        }),
    })
    .refine(
      ({ quality, max_bytes, ssim }) =>
        [quality, max_bytes, ssim].filter((value) => value !== undefined).length <= 1,
      {
        path: ["quality"],
        error: "cannot be combined: set one of `quality`, `max_bytes` and `ssim`",
      },
    ),
  example: { ssim: 0.98 },
  sample: { input: "photo.jpg", params: { format: "best" } },
  // `best` may become another format; AVIF is the smallest one for almost every photograph.
  produces: (type, { format = type }) => (format === "best" ? "avif" : format),
  result: z.strictObject({
    format: z.string().describe("Format of the output, such as `avif`."),
    bytes_before: countResult("Bytes of the input."),
    bytes: countResult("Bytes of the output."),
    ssim: z.number().describe("Structural similarity to the original, from 0 to 1."),
  }),
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work, progress }) {
    const { quality, max_bytes: maxBytes, ssim = 0.98, format } = params;
    const goal =
      quality !== undefined ? { quality } : maxBytes !== undefined ? { maxBytes } : { ssim };
    const { output, result } = await compressImage(input, goal, format, work, progress);
    return { outputs: [output], result };
  },
});
