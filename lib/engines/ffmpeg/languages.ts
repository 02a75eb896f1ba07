/**
 * ffmpeg's names of the language codes of QuickTime, where ISO 639-2 has another. With a name that it does
 * not know, ffmpeg writes no language to a MOV file. See `mov_mdhd_language_map` in its `isom.c`.
 */
const quickTimeNames: Readonly<Record<string, string>> = {
  bod: "tib",
  cym: "wel",
  cze: "ces",
  deu: "ger",
  ell: "gre",
  eus: "baq",
  fao: "fo ",
  fre: "fra",
  gle: "iri",
  hrv: "hr ",
  hye: "arm",
  isl: "ice",
  kat: "geo",
  mkd: "mac",
  msa: "may",
  mya: "bur",
  nld: "dut",
  pan: "pa ",
  rum: "ron",
  slo: "slk",
  sqi: "alb",
  srp: "sr ",
  swe: "sve",
  zho: "chi",
};

/** Those of `quickTimeNames` that are no codes of ISO 639-2. */
const quickTimeOnly = new Map(
  ["fao", "gle", "hrv", "pan", "srp", "swe"].map((code) => [quickTimeNames[code], code]),
);

/** The code of ISO 639-2 for the `language` that ffprobe reports. */
export function toLanguageCode(language: string): string {
  return quickTimeOnly.get(language) ?? language;
}

/** ffmpeg's name of the language with `code`, of ISO 639-2, in a MOV file. */
export function toQuickTimeName(code: string): string {
  return quickTimeNames[code] ?? code;
}
