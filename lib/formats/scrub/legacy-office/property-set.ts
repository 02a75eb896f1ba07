import type { Patch } from "../patch.ts";
import type { FragmentedBytes } from "./fragmented-bytes.ts";

/** Property sets of compound files (MS-OLEPS): title, author, company, thumbnail, custom properties. */
const formats: Readonly<Record<string, string>> = {
  "\x05SummaryInformation": "e0859ff2f94f6810ab9108002b27b3d9",
  "\x05DocumentSummaryInformation": "02d5cdd59c2e1b10939708002b2cf9ae",
};

/** Where the set begins: after the header of 28 bytes and the list of one set. */
const setOffset = 48;
/** The sizes, the list of one property, and the property. */
const setBytes = 24;

/**
 * Replaces the content of the stream called `name` with a property set that contains only the code
 * page (UTF-16), and keeps its length. Empty if the stream is no property set.
 */
export function emptyPropertySet(name: string, stream: FragmentedBytes): Patch[] {
  const format = formats[name];
  if (!format) return [];
  const set = Buffer.alloc(setOffset + setBytes);
  set.writeUInt16LE(0xfffe, 0); // byte order
  set.writeUInt32LE(0x00020006, 4); // system: Windows 6, which readers ignore
  set.writeUInt32LE(1, 24);
  set.write(format, 28, "hex");
  set.writeUInt32LE(setOffset, 44);
  set.writeUInt32LE(setBytes, setOffset);
  set.writeUInt32LE(1, setOffset + 4);
  set.writeUInt32LE(1, setOffset + 8); // property CodePage
  set.writeUInt32LE(16, setOffset + 12); // its offset in the set
  set.writeUInt32LE(2, setOffset + 16); // its type: 16 bits
  set.writeUInt16LE(1200, setOffset + 20);
  if (stream.size < set.length) return stream.clear(0, stream.size);
  return [...stream.write(0, set), ...stream.clear(set.length, stream.size - set.length)];
}
