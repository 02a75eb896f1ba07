import { z } from "zod";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import { countResult } from "../../result-fields.ts";
import { extractPictures } from "./extract-pictures.ts";

export const extractImages = defineOperation({
  id: "document/extract-images",
  title: "Extract images from PDF",
  summary: "Save the pictures of a PDF as they are stored, each once, with their transparency.",
  accepts: ["pdf"],
  params: z.strictObject({}),
  example: {},
  sample: { input: "brochure.pdf" },
  produces: () => "jpeg",
  result: z.strictObject({
    images: z
      .array(
        z.strictObject({
          page: countResult("The first page that shows it, from 1."),
          width: z.number().int().optional(),
          height: z.number().int().optional(),
          format: z.string().describe("Such as `jpg`."),
          alpha: z.boolean().describe("Whether it has transparency."),
        }),
      )
      .describe("The pictures, in the order of the outputs."),
  }),
  runsIn: "runner",
  requires: ["qpdf", "poppler", "image"],
  async run({ input, work, signal, progress }) {
    const pictures = await extractPictures(input, work, signal, progress);
    if (pictures.length === 0) throw new JobError("corrupt", "No picture could be read.");
    const digits = `${pictures.length}`.length;
    const outputs = pictures.map(({ file }, index) => ({
      ...file,
      suffix: `-image-${`${index + 1}`.padStart(digits, "0")}` as const,
    }));
    const images = pictures.map(({ file, page, hasAlpha }) => {
      const { width, height, extension } = file;
      return { page, width, height, format: extension, alpha: hasAlpha };
    });
    return { outputs, result: { images } };
  },
});
