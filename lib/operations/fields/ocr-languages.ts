import { z } from "zod";
import {
  defaultLanguages,
  ocrLanguages,
  parseLanguages,
} from "#lib/engines/tesseract/languages.ts";

/** Languages of a text to recognize, joined with `+`. Parse it with `parseLanguages`. */
export const languagesField = z
  .string()
  .refine((text) => parseLanguages(text) !== undefined, {
    error: () =>
      `must be one to five different languages joined with +, such as eng+deu; the languages are ${ocrLanguages().join(" ")}`,
  })
  .default("eng")
  .describe(
    `Languages of the text, the main one first, joined with + such as eng+deu: ${defaultLanguages.join(", ")}, and those that the operator of the server has added.`,
  );
