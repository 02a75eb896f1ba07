import { z } from "zod";
import { coversFrame } from "#lib/engines/image/box.ts";
import { displayedSize, openImage } from "#lib/engines/image/open.ts";
import { copySource, saveUpright } from "#lib/engines/image/save.ts";
import { defineOperation } from "../../define.ts";
import { edge, images, optionalColor, position, ratio } from "../../fields/index.ts";
import { padImage } from "./pad-image.ts";
import { planCanvas } from "./plan-canvas.ts";

const edges = ["top", "right", "bottom", "left"] as const;

export const pad = defineOperation({
  id: "image/pad",
  title: "Pad image",
  summary: "Add a border to an image, or extend it to a ratio of width to height.",
  accepts: images,
  params: z
    .strictObject({
      top: edge("Border at the top.").optional(),
      right: edge("Border at the right.").optional(),
      bottom: edge("Border at the bottom.").optional(),
      left: edge("Border at the left.").optional(),
      ratio: ratio("Extends the image to this ratio, instead of borders in pixels.").optional(),
      position: position("center").describe("Where the image is in the frame of a ratio."),
      color: optionalColor(
        "Fills the border. The default is transparent, or white if the format has no transparency.",
      ),
      blur: z
        .boolean()
        .default(false)
        .describe("Whether an enlarged and blurred copy of the image fills the border."),
    })
    .refine(
      (params) => edges.some((edge) => params[edge] !== undefined) !== (params.ratio !== undefined),
      "Either `ratio` or at least one of `top`, `right`, `bottom` and `left` is required.",
    ),
  example: { left: 40, right: 40, color: "#f4f4f5" },
  sample: { input: "photo.jpg", params: { ratio: "1:1", blur: true } },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const output = work.output(input.extension);
    const size = displayedSize(source);
    const canvas = planCanvas(size, params);
    if (coversFrame(canvas, size)) return { outputs: [await copySource(source, output)] };
    const padded = await padImage(source, canvas, params, work);
    return { outputs: [await saveUpright(source, padded, output)] };
  },
});
