import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { saveUpright } from "#lib/engines/image/save.ts";
import { flipOf } from "#lib/media/transform.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { transformJpeg } from "../../shared/image/transform-jpeg.ts";
import { directions, flipImage } from "./flip-image.ts";

export const flip = defineOperation({
  id: "image/flip",
  title: "Flip image",
  summary: "Mirror an image horizontally or vertically.",
  accepts: images,
  params: z.strictObject({
    direction: z.enum(directions).meta({
      description:
        "Horizontal swaps left and right, vertical swaps top and bottom, as the image is displayed.",
    }),
  }),
  example: { direction: "horizontal" },
  sample: { input: "photo.jpg" },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image", "jpegtran"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const output = work.output(input.extension);
    const transformed = await transformJpeg(source, flipOf(params.direction), output);
    if (transformed) return { outputs: [transformed] };
    const flipped = await flipImage(source, params.direction);
    return { outputs: [await saveUpright(source, flipped, output)] };
  },
});
