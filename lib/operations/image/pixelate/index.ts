import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { saveInSourceFormat } from "#lib/engines/image/save.ts";
import { defineOperation } from "../../define.ts";
import { images, parseRegions, regions } from "../../fields/index.ts";
import { pixelateImage } from "./pixelate-image.ts";

export const pixelate = defineOperation({
  id: "image/pixelate",
  title: "Pixelate image",
  summary: "Pixelate an image, or regions of it.",
  accepts: images,
  params: z.strictObject({
    region: regions("What is pixelated; the default is the whole image."),
    size: z.number().int().min(2).max(1000).default(16).meta({
      description: "Side of the squares, which have one color each.",
      control: "slider",
      unit: "px",
    }),
  }),
  example: { size: 12 },
  sample: { input: "photo.jpg", params: { size: 24, region: "30,380,220,195" } },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const pixelated = await pixelateImage(source, params.size, parseRegions(params.region));
    return { outputs: [await saveInSourceFormat(source, pixelated, work.output(input.extension))] };
  },
});
