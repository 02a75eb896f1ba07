/** Languages whose data is installed, by their codes; those of tesseract, with a hyphen for a script. */
export const ocrLanguages = [
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
] as const;

export type OcrLanguage = (typeof ocrLanguages)[number];

/** Each language takes about as much time as the first one. */
const maxLanguages = 5;

/**
 * Parses codes that are joined with `+`, such as `eng+deu`. Undefined if one is unknown or named twice, or
 * if there are too many.
 */
export function parseLanguages(text: string): OcrLanguage[] | undefined {
  const codes = text.replaceAll("_", "-").split("+");
  const known = ocrLanguages.filter((language) => codes.includes(language));
  const isValid = known.length === codes.length && codes.length <= maxLanguages;
  // The first one matters most, so the order stays. Each code is one of the list.
  return isValid ? (codes as OcrLanguage[]) : undefined;
}
