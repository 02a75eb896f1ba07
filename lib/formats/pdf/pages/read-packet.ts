import { inflateSync } from "node:zlib";
import type { PdfFile } from "../objects/file.ts";
import { isDict, type PdfDict, PdfRef } from "../objects/values.ts";

/** Bytes of a packet; larger ones are replaced. */
const maxPacketBytes = 16 * 2 ** 20;

/** The XMP packet of the document; undefined if there is none that can be read. */
export function readPacket(file: PdfFile): string | undefined {
  const ref = file.catalog["/Metadata"];
  if (!(ref instanceof PdfRef)) return undefined;
  const object = file.object(ref.number);
  const data = file.readData(object);
  if (!data || data.length > maxPacketBytes) return undefined;
  const dict: PdfDict = isDict(object.value) ? object.value : {};
  const filter = file.resolve(dict["/Filter"]);
  const bytes = Buffer.concat([...data.parts]);
  if (filter === null || (Array.isArray(filter) && filter.length === 0)) return decodePacket(bytes);
  const [only] = Array.isArray(filter) ? filter : [filter];
  if (only !== "/FlateDecode") return undefined;
  try {
    return decodePacket(inflateSync(bytes, { maxOutputLength: maxPacketBytes }));
  } catch {
    return undefined; // damaged or a bomb: replaced
  }
}

/** The text of a packet, which may be UTF-16 with a byte order mark or without one. */
export function decodePacket(bytes: Buffer): string {
  const start = bytes.toString("hex", 0, 2);
  if (start === "feff" || start === "003c") return new TextDecoder("utf-16be").decode(bytes);
  if (start === "fffe" || start === "3c00") return new TextDecoder("utf-16le").decode(bytes);
  return new TextDecoder().decode(bytes);
}
