import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { countResult } from "../../result-fields.ts";
import { extractPalette } from "../../shared/image/palette.ts";
import { writeResult } from "../../write-result.ts";
import { encodeBlurHash, encodeDataUri, encodeThumbHash } from "./encode-placeholder.ts";

export const placeholder = defineOperation({
  id: "image/placeholder",
  title: "Make placeholder",
  summary: "Make placeholders that a page shows until an image has loaded.",
  accepts: images,
  params: z.strictObject({
    width: z.number().int().min(4).max(128).default(32).meta({
      description: "Width of the tiny image in the data URI. It keeps the aspect ratio.",
      control: "slider",
      unit: "px",
    }),
  }),
  example: { width: 32 },
  sample: { input: "photo.jpg" },
  produces: () => "json",
  result: z.strictObject({
    width: countResult("Width of the image, in pixels."),
    height: countResult("Height of the image, in pixels."),
    data_uri: z.string().describe("A tiny image as a data URI."),
    dominant_color: z
      .string()
      .nullable()
      .describe("Such as `#4e4d4a`; null if every pixel is transparent."),
    thumbhash: z.string().describe("ThumbHash in Base64."),
    blurhash: z.string().describe("BlurHash."),
  }),
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits, { firstPage: true });
    const [color] = await extractPalette(source, 5);
    const isTurned = source.orientation >= 5;
    const result = {
      width: isTurned ? source.height : source.width,
      height: isTurned ? source.width : source.height,
      data_uri: await encodeDataUri(source, params.width),
      // Null if every pixel is transparent.
      dominant_color: color?.hex ?? null,
      thumbhash: await encodeThumbHash(source),
      blurhash: await encodeBlurHash(source),
    };
    return writeResult(result, work);
  },
});
