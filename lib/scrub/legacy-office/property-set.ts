import type { Patch } from "../patch.ts";
import type { ScatteredBytes } from "./fragmented-bytes.ts";

/** Property sets of compound files (MS-OLEPS): title, author, company, thumbnail, own properties. */
const formats: Readonly<Record<string, string>> = {
  "\x05SummaryInformation": "e0859ff2f94f6810ab9108002b27b3d9",
  "\x05DocumentSummaryInformation": "02d5cdd59c2e1b10939708002b2cf9ae",
};

/** A header of 28 bytes and the list of its one set. */
const setOffset = 48;
/** Its sizes, the list of its one property, and that. */
const setBytes = 24;

/**
 * What makes a property set of nothing but its code page (UTF-16) of the stream called `name`, in the
 * room that it has; nothing where it is no such stream.
 */
export function emptyPropertySet(name: string, stream: ScatteredBytes): Patch[] {
  const format = formats[name];
  if (!format) return [];
  const set = Buffer.alloc(setOffset + setBytes);
  set.writeUInt16LE(0xfffe, 0); // byte order
  set.writeUInt32LE(0x00020006, 4); // the system: Windows 6, which readers ignore
  set.writeUInt32LE(1, 24);
  set.write(format, 28, "hex");
  set.writeUInt32LE(setOffset, 44);
  set.writeUInt32LE(setBytes, setOffset);
  set.writeUInt32LE(1, setOffset + 4);
  set.writeUInt32LE(1, setOffset + 8); // the property CodePage …
  set.writeUInt32LE(16, setOffset + 12); // … is here in the set,
  set.writeUInt32LE(2, setOffset + 16); // of 16 bits:
  set.writeUInt16LE(1200, setOffset + 20);
  if (stream.size < set.length) return stream.erase(0, stream.size);
  return [...stream.write(0, set), ...stream.erase(set.length, stream.size - set.length)];
}
