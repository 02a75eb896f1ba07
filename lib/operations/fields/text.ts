import { z } from "zod";
import { fileLimits } from "#lib/limits/limits.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are rejected
const controlCharacters = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** Text to render, in any script. It is data, never markup. Line breaks are allowed; CRLF becomes LF. */
export const renderedText = z
  .string()
  .overwrite((text) => text.replaceAll("\r\n", "\n"))
  .min(1)
  .max(fileLimits.textLength.max)
  .refine(
    (text) => !controlCharacters.test(text),
    "must not contain control characters other than line breaks",
  )
  .refine((text) => text.isWellFormed(), "must be valid Unicode")
  .meta({
    description: "Text to render, in any script, 1 to 500 characters. Line breaks are kept.",
    control: "textarea",
  });
