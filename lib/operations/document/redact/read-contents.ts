import { PDFArray, type PDFPage, PDFStream } from "@cantoo/pdf-lib";

/** The content streams of a page in order, with one character for each byte. */
export function readContents(page: PDFPage): string {
  const contents = page.node.Contents();
  const streams =
    contents instanceof PDFArray
      ? contents.asArray().map((_, index) => contents.lookup(index))
      : [contents];
  return streams
    .flatMap((stream) =>
      stream instanceof PDFStream ? Buffer.from(stream.getContents()).toString("latin1") : [],
    )
    .join("\n");
}
