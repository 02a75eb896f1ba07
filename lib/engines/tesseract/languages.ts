import { env } from "#lib/env.ts";

/** Languages whose data every installation has, by their codes; those of tesseract, with a hyphen for a script. */
export const defaultLanguages: readonly string[] = [
  "eng",
  "deu",
  "fra",
  "spa",
  "ita",
  "por",
  "nld",
  "pol",
  "rus",
  "ukr",
  "tur",
  "ara",
  "chi-sim",
  "jpn",
  "kor",
  "hin",
];

/** The languages of this server: the default ones and those of `OCR_LANGUAGES`, which set-up installs. */
export function ocrLanguages(): readonly string[] {
  return [...new Set([...defaultLanguages, ...env.OCR_LANGUAGES])];
}

/** Each language takes about as much time as the first one. */
const maxLanguages = 5;

/**
 * Parses codes that are joined with `+`, such as `eng+deu`. Undefined if this server does not have one, if
 * one is named twice, or if there are too many.
 */
export function parseLanguages(text: string): string[] | undefined {
  const codes = text.replaceAll("_", "-").split("+");
  const known = ocrLanguages();
  const isValid =
    codes.length <= maxLanguages &&
    new Set(codes).size === codes.length &&
    codes.every((code) => known.includes(code));
  // The first one matters most, so the order stays.
  return isValid ? codes : undefined;
}
