import { z } from "zod";
import { openImage } from "#lib/engines/image/open.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { extractPalette } from "../../shared/image/palette.ts";
import { writeResult } from "../../write-result.ts";

export const palette = defineOperation({
  id: "image/palette",
  title: "Extract colors",
  summary: "Find the main colors of an image, with their shares.",
  accepts: images,
  params: z.strictObject({
    count: z.number().int().min(1).max(64).default(5).meta({
      description: "The highest number of colors. An image of fewer colors has fewer.",
      control: "slider",
    }),
  }),
  example: { count: 5 },
  sample: { input: "photo.jpg", params: { count: 6 } },
  produces: () => "json",
  result: z.strictObject({
    colors: z
      .array(
        z.strictObject({
          hex: z.string().describe("Such as `#484643`."),
          share: z.number().describe("Its share of the pixels, from 0 to 1."),
        }),
      )
      .describe("The colors, the most frequent first."),
  }),
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits, { firstPage: true });
    return writeResult({ colors: await extractPalette(source, params.count) }, work);
  },
});
