import { z } from "zod";
import { coversFrame } from "#lib/engines/image/box.ts";
import { displayedSize, openImage } from "#lib/engines/image/open.ts";
import { copySource } from "#lib/engines/image/save.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { cropImage } from "../../shared/image/crop-image.ts";
import { findContent } from "./find-content.ts";

export const trim = defineOperation({
  id: "image/trim",
  title: "Trim image",
  summary: "Cut off the borders of one color, or transparent ones.",
  accepts: images,
  params: z.strictObject({
    threshold: z.number().min(0).max(255).default(10).meta({
      description:
        "How much the border may differ from the pixel in the top left corner, from 0 to 255.",
      control: "slider",
    }),
  }),
  example: { threshold: 10 },
  sample: { input: "logo.png" },
  produces: (type) => type,
  chainsPixels: true,
  runsIn: "worker",
  requires: ["image", "jpegtran"],
  async run({ input, params, work }) {
    const source = await openImage(input, work.limits);
    const output = work.output(input.extension);
    const box = await findContent(source, params.threshold);
    const trimmed =
      box === undefined || coversFrame(box, displayedSize(source))
        ? await copySource(source, output)
        : await cropImage(source, box, output);
    return { outputs: [trimmed] };
  },
});
