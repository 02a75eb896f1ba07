import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { saveInSourceFormat } from "#lib/engines/image/save.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { sharpenImage } from "./sharpen-image.ts";

export const sharpen = defineOperation({
  id: "image/sharpen",
  title: "Sharpen image",
  summary: "Sharpen an image.",
  accepts: images,
  params: z.strictObject({
    sigma: z.number().min(0.1).max(10).default(1).meta({
      description: "Radius of the Gaussian mask, in pixels. A larger radius sharpens more.",
      control: "slider",
      unit: "px",
    }),
  }),
  example: { sigma: 1.5 },
  sample: { input: "photo.jpg", params: { sigma: 2 } },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const sharpened = await sharpenImage(source, params.sigma, work);
    return { outputs: [await saveInSourceFormat(source, sharpened, work.output(input.extension))] };
  },
});
