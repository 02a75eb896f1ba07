import { z } from "zod";
import { stillFormats } from "#lib/engines/image/encode.ts";
import { defineOperation } from "#lib/operations/define.ts";
import {
  images,
  maxSide,
  nameList,
  numberList,
  parseNameList,
  parseNumberList,
} from "#lib/operations/fields/index.ts";
import { makeSet } from "./make-set.ts";
import { writePicture } from "./write-picture.ts";

export const responsiveImageSet = defineOperation({
  id: "pipeline/responsive-image-set",
  title: "Responsive images",
  summary:
    "Make an image in several widths and formats for a web page, and the HTML that lets a browser choose.",
  accepts: images,
  params: z.strictObject({
    widths: numberList({
      min: 1,
      max: maxSide,
      maxItems: 12,
      default: "320,640,1024,1920",
      description:
        "Widths of the images, in pixels. The image is never enlarged: in place of larger widths there is one image of its own width.",
    }),
    formats: nameList(stillFormats, {
      default: "avif,webp,jpeg",
      description:
        "Formats: jpeg, png, webp, avif. Of an animation, the first frame is used; under transparent pixels, a JPEG is white.",
    }),
  }),
  example: { widths: "160,320", formats: "webp,jpeg" },
  sample: { input: "photo.jpg", params: { widths: "320,640", formats: "avif,webp,jpeg" } },
  produces: (_, { formats }) => parseNameList(formats, stillFormats)[0] ?? "jpeg",
  drawingSize: ({ widths }) => ({ width: Math.min(4096, parseNumberList(widths).at(-1) ?? 1) }),
  chainsPixels: "reads",
  result: z.strictObject({
    html: z.string().describe("A picture element with all images."),
    images: z
      .array(
        z.strictObject({
          filename: z.string(),
          format: z.string().describe("Such as `avif`."),
          width: z.number().int(),
          height: z.number().int(),
        }),
      )
      .describe("The images, in the order of the outputs."),
  }),
  runsIn: "worker",
  requires: ["image"],
  async run({ input, params, work, progress }) {
    const widths = parseNumberList(params.widths);
    const formats = parseNameList(params.formats, stillFormats);
    const set = await makeSet(input, { widths, formats }, work, progress);
    const images = set.map(({ filename, format, width, height }) => {
      return { filename, format, width, height };
    });
    const outputs = set.map(({ format: _, ...output }) => output);
    return { outputs, result: { html: writePicture(set), images } };
  },
});
