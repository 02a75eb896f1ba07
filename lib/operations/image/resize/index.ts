import { z } from "zod";
import { displayedSize, openImage } from "#lib/engines/image/open.ts";
import { copySource, saveUpright } from "#lib/engines/image/save.ts";
import { defineOperation } from "../../define.ts";
import { fit as fitField, images, positions, side } from "../../fields/index.ts";
import { cropStrategies } from "../../shared/image/crop-strategy.ts";
import { planResize } from "./plan-resize.ts";
import { resizeImage } from "./resize-image.ts";

export const resize = defineOperation({
  id: "image/resize",
  title: "Resize image",
  summary: "Resize an image to a width, a height or both.",
  accepts: images,
  params: z
    .strictObject({
      width: side("Width of the result. The default follows from the height.").optional(),
      height: side("Height of the result. The default follows from the width.").optional(),
      fit: fitField("inside"),
      position: z
        .enum([...positions, ...cropStrategies])
        .default("center")
        .meta({
          description:
            "What cover keeps, or where contain places the image: one of nine positions; or, for cover, the part with the most detail (entropy), the part that attracts attention (attention) or the faces of people (face). If no face is found, face works like attention.",
        }),
      enlarge: z
        .boolean()
        .default(false)
        .describe(
          "Whether a smaller image is enlarged. If not, it keeps its size, and cover only cuts it to the ratio.",
        ),
    })
    .refine(({ width, height }) => width !== undefined || height !== undefined, {
      error: "`width` or `height` is required.",
    }),
  example: { width: 640 },
  sample: { input: "photo.jpg", params: { width: 480, height: 480, fit: "cover" } },
  produces: (type) => type,
  drawingSize: ({ width, height, enlarge }) => (enlarge ? { width, height } : {}),
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const output = work.output(input.extension);
    const size = displayedSize(source);
    const plan = planResize(size, params);
    const isSame = [plan.scaled, plan.canvas].every(
      ({ width, height }) => width === size.width && height === size.height,
    );
    if (isSame) return { outputs: [await copySource(source, output)] };
    const resized = await resizeImage(source, plan, params.position, work);
    return { outputs: [await saveUpright(source, resized, output)] };
  },
});
