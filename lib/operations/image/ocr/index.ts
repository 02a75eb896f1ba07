import { z } from "zod";
import { parseLanguages } from "#lib/engines/tesseract/languages.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { languagesField } from "../../fields/ocr-languages.ts";
import { boxResult } from "../../result-fields.ts";
import { readText } from "./read-text.ts";

/** Words in the job's result, which is in the database. A dense page has about a thousand. */
const maxWords = 10_000;

export const ocr = defineOperation({
  id: "image/ocr",
  title: "Recognize text",
  summary: "Recognize the text in an image, with the place of every word.",
  accepts: images,
  params: z.strictObject({
    languages: languagesField,
  }),
  example: { languages: "eng" },
  sample: { input: "receipt.jpg" },
  produces: () => "txt",
  result: z.strictObject({
    text: z.string().describe("The whole text."),
    words: z
      .array(
        z.strictObject({
          text: z.string(),
          confidence: z.number().describe("From 0 to 1."),
          box: boxResult("Its place in pixels, from the top left."),
        }),
      )
      .describe("The first words of the text."),
  }),
  runsIn: "runner",
  requires: ["image", "tesseract"],
  async run({ input, params, work, signal, progress }) {
    const languages = parseLanguages(params.languages) ?? ["eng"];
    const { text, words } = await readText(input, languages, work, signal, progress);
    const output = work.output("txt");
    // No output file is empty.
    await writeNew(output.path, text === "" ? "\n" : text);
    return { outputs: [output], result: { text, words: words.slice(0, maxWords) } };
  },
});
