/** What no client is to read: paths and addresses, stacks, engines and values that slipped through. */
const betrayals = [
  /[/\\]/,
  /\b\d{1,3}(\.\d{1,3}){3}\b|::1\b|localhost/,
  /\b0x[0-9a-f]+/i,
  /\bat .+:\d+/,
  /\b(undefined|null|NaN|Error|Exception|errno|E[A-Z]{4,})\b|\[object/,
  /\b(ffmpeg|ffprobe|libreoffice|soffice|uno|sharp|lib\w+|vips|chromium|puppeteer)\b/i,
  /\b(exiftool|perl|qpdf|poppler|pdfinfo|bwrap|bubblewrap|prlimit|node|python)\b/i,
];

/** Why `sentence` is not one that a client may read; undefined where it is. */
export function complainOfSentence(sentence: string): string | undefined {
  if (!/^[A-Za-z_][^\n]{5,500}\.$/.test(sentence)) return `no sentence: ${sentence}`;
  const betrayal = betrayals.find((pattern) => pattern.test(sentence));
  return betrayal && `${betrayal} in: ${sentence}`;
}
