/** Rewrites lists of strings in Word documents with strings that are never longer. */

import { DamagedDataError } from "#lib/media/damaged-data.ts";

/** Returns the replacement for the string at `index`. */
type Change = (text: string, index: number) => string;

/** Marks a table of 16-bit strings (MS-DOC, 2.2.4). */
const extended = 0xffff;

/** Rewrites a table of strings, each with data of a fixed length. Throws `RangeError` if it is damaged. */
export function rewriteStringTable(table: Buffer, change: Change): Buffer {
  const isExtended = table.readUInt16LE(0) === extended;
  const head = isExtended ? 6 : 4;
  const count = table.readUInt16LE(head - 4);
  const extra = table.readUInt16LE(head - 2);
  const width = isExtended ? 2 : 1;
  const encoding = isExtended ? "utf16le" : "latin1";
  const parts = [table.subarray(0, head)];
  let at = head;
  for (let index = 0; index < count; index++) {
    const length = table.readUIntLE(at, width);
    const text = slice(table, at + width, length * width).toString(encoding);
    const changed = change(text, index).slice(0, text.length);
    const size = Buffer.alloc(width);
    size.writeUIntLE(changed.length, 0, width);
    at += width * (1 + length);
    parts.push(size, Buffer.from(changed, encoding), slice(table, at, extra));
    at += extra;
  }
  return Buffer.concat(parts);
}

/** Replaces each string of a sequence of 16-bit strings with their lengths (MS-DOC, 2.9.354) with `name`. */
export function rewriteXsts(strings: Buffer, name: string): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 2 <= strings.length; ) {
    const length = strings.readUInt16LE(at);
    slice(strings, at + 2, 2 * length);
    const changed = name.slice(0, length);
    const size = Buffer.alloc(2);
    size.writeUInt16LE(changed.length);
    parts.push(size, Buffer.from(changed, "utf16le"));
    at += 2 + 2 * length;
  }
  return Buffer.concat(parts);
}

function slice(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw new DamagedDataError("string past its table");
  return bytes.subarray(start, start + length);
}
