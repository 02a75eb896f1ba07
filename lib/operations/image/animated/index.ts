import { z } from "zod";
import { mediaType } from "#lib/media/types.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { readFrames } from "./read-frames.ts";
import { animationFormats, writeAnimation } from "./write-animation.ts";

const typeOf = (format: (typeof animationFormats)[number]) => (format === "apng" ? "png" : format);

export const animated = defineOperation({
  id: "image/animated",
  title: "Images to animation",
  summary: "Make an animation of images.",
  accepts: images,
  inputs: { min: 2, max: 100 },
  params: z.strictObject({
    format: z
      .enum(animationFormats)
      .default("webp")
      .describe("Format of the animation; apng is an animated PNG."),
    delay: z.number().int().min(10).max(60_000).default(100).meta({
      description: "How long each image is shown, in milliseconds.",
    }),
    loop: z.number().int().min(0).max(1000).default(0).meta({
      description: "How often the animation is shown; 0 is forever.",
    }),
  }),
  example: { delay: 500 },
  sample: {
    inputs: ["orange-1.webp", "orange-2.webp", "orange-3.webp", "orange-4.webp"],
    params: { delay: 400 },
  },
  produces: (_, { format }) => typeOf(format),
  runsIn: "worker",
  requires: ["image"],
  async run({ inputs, params, work, progress }) {
    const frames = await readFrames(inputs, work.limits, progress);
    const output = work.output(mediaType(typeOf(params.format)).extension);
    const timing = { delayMs: params.delay, loop: params.loop };
    return { outputs: [await writeAnimation(frames, params.format, timing, output)] };
  },
});
