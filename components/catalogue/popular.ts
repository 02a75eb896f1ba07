/** The operations that most people look for. */
export const popular: ReadonlySet<string> = new Set([
  "document/html-to-pdf",
  "document/doc-to-pdf",
  "image/resize",
  "image/convert",
  "image/compress",
  "image/ocr",
  "video/transcode",
  "video/compress",
  "video/trim",
  "video/gif",
  "audio/convert",
  "audio/normalize",
]);
