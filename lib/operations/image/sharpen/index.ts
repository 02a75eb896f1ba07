import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { saveLike } from "#lib/engines/image/save.ts";
import { sharpenImage } from "#lib/operations/image/sharpen/sharpen-image.ts";
import { defineOperation } from "../../define.ts";
import { rasterImages } from "../../fields/index.ts";

export const sharpen = defineOperation({
  id: "image/sharpen",
  summary: "Sharpen an image.",
  accepts: rasterImages,
  params: z.strictObject({
    sigma: z
      .number()
      .min(0.1)
      .max(10)
      .default(1)
      .describe("Radius of the Gaussian mask, in pixels; larger is stronger."),
  }),
  example: { sigma: 1.5 },
  produces: (type) => type,
  engine: "image",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const sharper = await sharpenImage(source, params.sigma, work);
    return { outputs: [await saveLike(source, sharper, work.output(input.extension))] };
  },
});
