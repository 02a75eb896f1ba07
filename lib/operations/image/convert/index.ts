import { z } from "zod";
import { encodableFormats } from "#lib/engines/image/encode.ts";
import { convertImage } from "#lib/engines/worker/image/convert-image.ts";
import { defineOperation } from "../../define.ts";
import { color, images, optionalQuality } from "../../fields/index.ts";
import { convertToJxl } from "./convert-to-jxl.ts";
import { keepTags } from "./keep-tags.ts";

/** Formats that can only be lossy, or have a palette. */
const lossyFormats: ReadonlySet<string> = new Set(["jpeg", "gif"]);

export const convert = defineOperation({
  id: "image/convert",
  title: "Convert image",
  summary: "Convert an image to another format.",
  accepts: images,
  params: z
    .strictObject({
      format: z.enum([...encodableFormats, "jxl"]).meta({
        description:
          "Format of the result. GIF and WebP animations stay animated in webp, gif, avif and jxl; in jpeg and png they become their first frame. In tiff, frames become pages. Of animated PNG, AVIF and JPEG XL files, only the first frame is read.",
      }),
      quality: optionalQuality(
        ", for jpeg, webp, avif and jxl. The default is 85, 82, 60 and 90. A JPEG becomes a JPEG XL without loss by default.",
      ),
      lossless: z
        .boolean()
        .default(false)
        .describe(
          "Whether webp, avif and jxl keep every pixel exactly. png and tiff always do; jpeg and gif cannot.",
        ),
      background: color("#ffffff").meta({
        description:
          "Hex color under transparent pixels if the format has no transparency, as jpeg: #rgb, #rrggbb, #rrggbbaa or 0xRRGGBB.",
      }),
      progressive: z
        .boolean()
        .default(false)
        .describe(
          "Whether a jpeg, png or jxl appears in steps while it loads. Ignored for a JPEG that becomes a JPEG XL without loss, and for a lossless jxl with transparency and 16 bits per channel.",
        ),
    })
    .refine(({ format, lossless }) => !(lossless && lossyFormats.has(format)), {
      path: ["lossless"],
      error: "must be false for jpeg and gif, which cannot be lossless",
    }),
  example: { format: "webp", quality: 80 },
  sample: { input: "photo.jpg", params: { format: "avif" } },
  produces: (_, { format }) => format,
  chainsPixels: "reads",
  runsIn: "runner",
  requires: ["image", "exiftool", "cjxl"],
  async run({ input, params, work, signal }) {
    const { format, ...options } = params;
    if (format === "jxl") return { outputs: [await convertToJxl(input, options, work, signal)] };
    const output = await convertImage(input, { format, ...options }, work, signal);
    await keepTags(input, output, signal);
    return { outputs: [output] };
  },
});
