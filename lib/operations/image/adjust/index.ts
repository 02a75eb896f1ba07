import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { copySource, saveUpright } from "#lib/engines/image/save.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { adjustImage, isUnchanged } from "./adjust-image.ts";

function factor(description: string) {
  return z.number().min(0).max(10).default(1).meta({ description, control: "slider" });
}

export const adjust = defineOperation({
  id: "image/adjust",
  title: "Adjust colors",
  summary: "Adjust brightness, contrast and colors of an image.",
  accepts: images,
  params: z.strictObject({
    brightness: factor("Factor of the brightness: 0 is black, 1 does not change it."),
    contrast: factor("Factor of the contrast: 0 is gray, 1 does not change it."),
    saturation: factor("Factor of the saturation: 0 is without color, 1 does not change it."),
    hue: z.number().min(-360).max(360).default(0).meta({
      description: "Rotates all hues, clockwise around the color wheel.",
      control: "slider",
      unit: "°",
    }),
    gamma: z.number().min(0.1).max(10).default(1).meta({
      description: "Brightens the midtones above 1, and darkens them below.",
      control: "slider",
    }),
    grayscale: z.boolean().default(false).describe("Whether all colors become gray."),
    sepia: z.number().min(0).max(1).default(0).meta({
      description: "Share of a brown tint, as of old photographs.",
      control: "slider",
    }),
    negate: z.boolean().default(false).describe("Whether all colors are inverted."),
    normalize: z
      .boolean()
      .default(false)
      .describe("Whether the darkest parts become black and the brightest ones white, at first."),
  }),
  example: { brightness: 1.1, contrast: 1.2, saturation: 1.3 },
  sample: { input: "photo.jpg", params: { brightness: 1.15, contrast: 1.1, saturation: 1.4 } },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const output = work.output(input.extension);
    if (isUnchanged(params)) return { outputs: [await copySource(source, output)] };
    const adjusted = await adjustImage(source, params, work);
    return { outputs: [await saveUpright(source, adjusted, output)] };
  },
});
