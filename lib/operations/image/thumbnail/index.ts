import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { defineOperation } from "../../define.ts";
import { images, side } from "../../fields/index.ts";
import { cropStrategies } from "../../shared/image/crop-strategy.ts";
import { thumbnailFormats, writeThumbnail } from "./write-thumbnail.ts";

const maxSide = 4096;

export const thumbnail = defineOperation({
  id: "image/thumbnail",
  title: "Image thumbnail",
  summary: "Make a thumbnail of an exact size, cropped to what matters.",
  accepts: images,
  params: z.strictObject({
    width: side("Width of the thumbnail.", maxSide),
    height: side("Height of the thumbnail.", maxSide),
    strategy: z
      .enum([...cropStrategies, "center"])
      .default("attention")
      .meta({
        description:
          "What is kept: the part that attracts attention (attention), that with the most detail (entropy), the faces of people (face) or the center. If no face is found, face works like attention.",
      }),
    format: z
      .enum(thumbnailFormats)
      .default("jpeg")
      .describe("Format of the thumbnail. In JPEG, transparent parts become white."),
  }),
  example: { width: 320, height: 240 },
  sample: { input: "photo.jpg", params: { width: 240, height: 320 } },
  produces: (_, { format }) => format,
  drawingSize: ({ width, height }) => ({ width, height }),
  chainsPixels: "reads",
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits, { firstPage: true });
    return { outputs: [await writeThumbnail(source, params, work)] };
  },
});
