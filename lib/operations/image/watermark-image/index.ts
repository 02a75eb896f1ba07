import { z } from "zod";
import { displayedSize, openImage } from "#lib/engines/image/open.ts";
import { copySource, saveInSourceFormat } from "#lib/engines/image/save.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import { images, marginShare, offsetIn, opacity, position } from "../../fields/index.ts";
import { overlayImage } from "../../shared/image/composite.ts";
import { renderWatermark } from "./render-watermark.ts";
import { tileOverlay } from "./tile-overlay.ts";

export const watermarkImage = defineOperation({
  id: "image/watermark-image",
  title: "Image watermark",
  summary: "Overlay an image, such as a logo, on an image.",
  accepts: images,
  params: z.strictObject({
    position: position("bottom-right"),
    opacity: opacity(1),
    scale: z.number().min(0.01).max(1).default(0.2).meta({
      description:
        "Width of the watermark as a share of the image's width. Its aspect ratio stays; it is smaller if it would not fit.",
      control: "slider",
    }),
    tile: z
      .boolean()
      .default(false)
      .describe("Whether the watermark is repeated all over the image, at any position."),
    angle: z.number().min(-360).max(360).default(0).meta({
      description: "Degrees to rotate the watermark clockwise.",
      control: "slider",
      unit: "°",
    }),
  }),
  files: {
    watermark: {
      accepts: images,
      required: true,
      description:
        "The image to overlay. Its transparency is kept. Of an animation, the first frame is used.",
    },
  },
  example: { position: "bottom-right", opacity: 0.8 },
  sample: {
    input: "photo.jpg",
    files: { watermark: "logo.png" },
    params: { scale: 0.15, opacity: 0.9 },
  },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image"],
  async run({ input, files, params, work }) {
    const { watermark } = files;
    if (!watermark) throw new JobError("internal", "The watermark image is missing.");
    const source = await openImage(input, work.limits);
    const output = work.output(input.extension);
    const size = displayedSize(source);
    const rendered = await renderWatermark(watermark, size, params, work.limits);
    // An invisible watermark changes nothing, so the image is not encoded again.
    if (params.opacity === 0) return { outputs: [await copySource(source, output)] };
    const margin = Math.floor(Math.min(size.width, size.height) * marginShare);
    const overlay = params.tile ? tileOverlay(rendered, size) : rendered;
    const offset = offsetIn(size, overlay, params.position, margin);
    const watermarked = await overlayImage(source, overlay, offset, work);
    return { outputs: [await saveInSourceFormat(source, watermarked, output)] };
  },
});
