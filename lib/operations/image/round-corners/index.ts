import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { roundCornersOf, saveTransparent } from "./round-corners-of.ts";

const maxRadius = 16_383;

const radiusSyntax = "must be a number of pixels such as 20, or a share such as 10%";

/** The output's type: that of the input if it has partial transparency. */
function outputType(type: MediaTypeId): "png" | "webp" | "avif" {
  if (type === "webp" || type === "avif") return type;
  return type === "gif" ? "webp" : "png";
}

export const roundCorners = defineOperation({
  id: "image/round-corners",
  title: "Round corners",
  summary: "Round the corners of an image, or cut it to a circle, on a transparent background.",
  accepts: images,
  params: z
    .strictObject({
      radius: z
        .union(
          [
            z.number().min(0, radiusSyntax).max(maxRadius, radiusSyntax),
            z.string().regex(/^\d{1,5}(?:\.\d{1,3})?%?$/, radiusSyntax),
          ],
          radiusSyntax,
        )
        .optional()
        .meta({
          description:
            "Radius of the corners: pixels such as 20, or a share of the shorter side such as 10%. At most half of the shorter side is used.",
          control: "text",
          unit: "px",
        }),
      circle: z
        .boolean()
        .default(false)
        .describe("Whether the image is cut to the largest circle in its center instead."),
    })
    .refine(({ radius, circle }) => radius !== undefined || circle, {
      error: "`radius` is required: pixels such as 20, or a share such as 10%.",
    }),
  example: { radius: "10%" },
  sample: { input: "photo.jpg", params: { radius: 48 } },
  produces: outputType,
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const type = outputType(input.type.id);
    const source = await openImage(input, work.limits, { firstPage: type === "png" });
    const rounded = await roundCornersOf(source, params);
    return {
      outputs: [await saveTransparent(source, rounded, work.output(mediaType(type).extension))],
    };
  },
});
