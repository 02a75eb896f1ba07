import { z } from "zod";
import { coversFrame } from "#lib/engines/image/box.ts";
import { displayedSize, openImage } from "#lib/engines/image/open.ts";
import { copySource } from "#lib/engines/image/save.ts";
import { defineOperation } from "../../define.ts";
import { edge, images, position, ratio, side } from "../../fields/index.ts";
import { cropImage } from "../../shared/image/crop-image.ts";
import { chooseBox } from "./choose-box.ts";

const corners = ["left", "top", "width", "height"] as const;

export const crop = defineOperation({
  id: "image/crop",
  title: "Crop image",
  summary: "Crop an image to a box, or to a ratio of width to height.",
  accepts: images,
  params: z
    .strictObject({
      left: edge("Distance of the box from the left edge.").optional(),
      top: edge("Distance of the box from the top edge.").optional(),
      width: side("Width of the box. What is outside of the image is cut off.").optional(),
      height: side("Height of the box. What is outside of the image is cut off.").optional(),
      ratio: ratio("Crops to the largest box of this ratio, instead of left to height.").optional(),
      position: position("center").describe("Where the box of a ratio is in the image."),
    })
    .refine((params) => {
      const given = corners.filter((corner) => params[corner] !== undefined);
      return given.length === (params.ratio === undefined ? corners.length : 0);
    }, "Either `ratio` or all of `left`, `top`, `width` and `height` are required."),
  example: { ratio: "1:1" },
  sample: { input: "photo.jpg", params: { ratio: "1:1", position: "right" } },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image", "jpegtran"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const size = displayedSize(source);
    const box = chooseBox(size, params);
    const output = work.output(input.extension);
    const cropped = coversFrame(box, size)
      ? await copySource(source, output)
      : await cropImage(source, box, output);
    return { outputs: [cropped] };
  },
});
