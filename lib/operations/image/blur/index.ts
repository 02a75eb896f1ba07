import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { saveInSourceFormat } from "#lib/engines/image/save.ts";
import { defineOperation } from "../../define.ts";
import { images, parseRegions, regions } from "../../fields/index.ts";
import { blurImage } from "./blur-image.ts";

export const blur = defineOperation({
  id: "image/blur",
  title: "Blur image",
  summary: "Blur an image, or regions of it.",
  accepts: images,
  params: z.strictObject({
    sigma: z.number().min(0.3).max(100).default(5).meta({
      description: "Standard deviation of the Gaussian blur. A larger one blurs more.",
      control: "slider",
      unit: "px",
    }),
    region: regions("What is blurred; the default is the whole image."),
  }),
  example: { sigma: 8 },
  sample: { input: "photo.jpg", params: { sigma: 12, region: "325,500,180,175" } },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const blurred = await blurImage(source, params.sigma, parseRegions(params.region));
    return { outputs: [await saveInSourceFormat(source, blurred, work.output(input.extension))] };
  },
});
