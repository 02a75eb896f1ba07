import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { copySource, saveUpright } from "#lib/engines/image/save.ts";
import { rotationOf } from "#lib/media/transform.ts";
import { defineOperation } from "../../define.ts";
import { images, optionalColor } from "../../fields/index.ts";
import { transformJpeg } from "../../shared/image/transform-jpeg.ts";
import { rotateImage } from "./rotate-image.ts";

export const rotate = defineOperation({
  id: "image/rotate",
  title: "Rotate image",
  summary: "Rotate an image by any angle.",
  accepts: images,
  params: z.strictObject({
    angle: z.number().min(-360).max(360).meta({
      description:
        "Degrees to rotate clockwise, from -360 to 360. A negative angle rotates counterclockwise.",
      control: "slider",
      unit: "°",
    }),
    background: optionalColor(
      "Fills the corners. The default is transparent, or white if the format has no transparency.",
    ),
  }),
  example: { angle: 90 },
  sample: { input: "photo.jpg", params: { angle: -8, background: "#fff2d6" } },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image", "jpegtran"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const output = work.output(input.extension);
    if (source.orientation === 1 && params.angle % 360 === 0) {
      return { outputs: [await copySource(source, output)] };
    }
    const transformed =
      params.angle % 90 === 0
        ? await transformJpeg(source, rotationOf(params.angle), output)
        : undefined;
    if (transformed) return { outputs: [transformed] };
    const rotated = await rotateImage(source, params, work);
    return { outputs: [await saveUpright(source, rotated, output)] };
  },
});
