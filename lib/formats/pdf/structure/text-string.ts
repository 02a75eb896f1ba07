import { PDFHexString, PDFString, pdfDocEncodingDecode } from "@cantoo/pdf-lib";

/** The encodings of texts that begin with these bytes (ISO 32000-2, 7.9.2.2). All others are in PDFDocEncoding. */
const encodings = [
  { mark: [0xfe, 0xff], decoder: new TextDecoder("utf-16be") },
  { mark: [0xff, 0xfe], decoder: new TextDecoder("utf-16le") },
  { mark: [0xef, 0xbb, 0xbf], decoder: new TextDecoder("utf-8") },
];

const chunkBytes = 16_384;

/** The text of a string object, of any length: `decodeText` of pdf-lib fails from about 100,000 characters on. */
export function decodeTextString(value: PDFString | PDFHexString): string {
  const bytes = Uint8Array.from(value.asBytes());
  const marked = encodings.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked) return marked.decoder.decode(bytes);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    parts.push(pdfDocEncodingDecode(bytes.subarray(at, at + chunkBytes)));
  }
  return parts.join("");
}

/** A string object with `text`: in ASCII if possible, so that names have one spelling, otherwise in UTF-16. */
export function encodeTextString(text: string): PDFHexString {
  if (!/^[\x20-\x7e]*$/.test(text)) return PDFHexString.fromText(text.toWellFormed());
  return PDFHexString.of(Buffer.from(text, "latin1").toString("hex"));
}

/** More is no title or name, and takes memory wherever it is written. */
const maxLineLength = 4000;

/** The start of a text in one line, without characters that XML cannot have. Other objects have none. */
export function readTextLine(value: unknown): string {
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return "";
  const text = decodeTextString(value).slice(0, maxLineLength).toWellFormed();
  return text.replace(/[\p{Cc}\ufffe\uffff]+/gu, " ").trim();
}
