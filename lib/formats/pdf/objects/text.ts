import { PdfString } from "./values.ts";

/** Text strings (ISO 32000-1, 7.9.2): UTF-16BE, UTF-8 (PDF 2.0) or PDFDocEncoding. */

/** The characters of PDFDocEncoding that differ from Latin-1 (ISO 32000-1, D.2), from 0x18 and 0x80. */
const accents = [..."\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc"];
const signs = [
  ..."\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018",
  ..."\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e\ufffd\u20ac",
];

/** The text of a string; empty for any other value. */
export function readText(value: unknown): string {
  if (!(value instanceof PdfString)) return "";
  const bytes = stringBytes(value);
  const [first, second, third] = bytes;
  if (first === 0xfe && second === 0xff) {
    const even = bytes.subarray(2, bytes.length - (bytes.length % 2));
    // A language code between two escape characters may precede the text.
    const parts = new TextDecoder("utf-16be").decode(even).split("\u001b");
    return parts.filter((_, index) => index % 2 === 0).join("");
  }
  if (first === 0xef && second === 0xbb && third === 0xbf) return bytes.toString("utf8", 3);
  return [...bytes].map(decodeByte).join("");
}

function decodeByte(byte: number): string {
  const special = byte < 0x80 ? accents[byte - 0x18] : signs[byte - 0x80];
  return special ?? String.fromCharCode(byte);
}

/** A string with `text`: in ASCII if possible, otherwise in UTF-16BE. */
export function textString(text: string): PdfString {
  if (/^[\x20-\x7e\n\r\t]*$/.test(text)) return byteString(Buffer.from(text, "latin1"));
  const bytes = Buffer.from(`\ufeff${text.toWellFormed()}`, "utf16le").swap16();
  return byteString(bytes);
}

/** A string of `bytes`, in hexadecimal unless all are printable. */
export function byteString(bytes: Buffer): PdfString {
  const text = bytes.toString("latin1");
  if (!/^[\x20-\x7e]*$/.test(text)) return new PdfString(`<${bytes.toString("hex")}>`);
  return new PdfString(`(${text.replace(/[\\()]/g, "\\$&")})`);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** The bytes that a string stands for. */
export function stringBytes({ source }: PdfString): Buffer {
  if (source.startsWith("<")) {
    const digits = source.slice(1, -1).replace(/[^0-9a-f]/gi, "");
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex");
  }
  const text = source
    .slice(1, -1)
    .replace(/\\([0-7]{1,3}|\r\n|[\s\S])|\r\n?/g, (_, escaped?: string) => {
      if (escaped === undefined) return "\n";
      if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
      return /^[\r\n]/.test(escaped) ? "" : (escapes[escaped] ?? escaped);
    });
  return Buffer.from(text, "latin1");
}
