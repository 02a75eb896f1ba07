import { z } from "zod";
import { stillFormats } from "#lib/engines/image/encode.ts";
import { openImage } from "#lib/engines/image/open.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { countResult } from "../../result-fields.ts";
import { writeFrames } from "./write-frames.ts";

export const frames = defineOperation({
  id: "image/frames",
  title: "Frames of an animation",
  summary: "Save every frame of a GIF or WebP animation, or every page of a TIFF, as an image.",
  accepts: images,
  params: z.strictObject({
    format: z
      .enum(stillFormats)
      .default("png")
      .describe("Format of the images. In JPEG, transparent parts become white."),
  }),
  example: { format: "png" },
  sample: { input: "orange.webp" },
  produces: (_, { format }) => format,
  result: z.strictObject({
    frames: countResult("Number of frames."),
    delays: z
      .array(z.number())
      .optional()
      .describe("How long each frame is shown, in milliseconds; absent for pages."),
  }),
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work, progress }) {
    const source = await openImage(input, work.limits);
    const outputs = await writeFrames(source, params.format, work, progress);
    const { delay } = source.metadata;
    return { outputs, result: { frames: outputs.length, ...(delay ? { delays: delay } : {}) } };
  },
});
