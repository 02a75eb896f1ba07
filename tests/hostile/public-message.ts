/** What must not be in a public error message: paths, addresses, stacks, engine names, raw values. */
const forbiddenPatterns = [
  /[/\\]/,
  /\b\d{1,3}(\.\d{1,3}){3}\b|::1\b|localhost/,
  /\b0x[0-9a-f]+/i,
  /\bat .+:\d+/,
  /\b(undefined|null|NaN|Error|Exception|errno|E[A-Z]{4,})\b|\[object/,
  /\b(ffmpeg|ffprobe|libreoffice|soffice|uno|sharp|lib\w+|vips|chromium|puppeteer)\b/i,
  /\b(exiftool|perl|qpdf|jpegtran|cjxl|vips|libraw|dcraw|tesseract|poppler|pdfinfo|bwrap|bubblewrap|prlimit|node|python)\b/i,
];

/** The resources of a page, which an error lists by the URLs that the page has. */
const resource =
  /\b(?<kind>image|style sheet|script|font|frame|media file|data) https?:\/\/[^\s,]+/g;

/** What is wrong with `given` as a public error message. Undefined if it is valid. */
export function findMessageProblem(given: string): string | undefined {
  const message = given.replaceAll(resource, "$<kind>");
  if (!/^[A-Za-z_`][^\n]{5,500}\.$/.test(message)) return `not one line with a period: ${message}`;
  const pattern = forbiddenPatterns.find((forbidden) => forbidden.test(message));
  return pattern && `${pattern} in: ${message}`;
}
