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
  if (filter === null || (Array.isArray(filter) && filter.length === 0)) return decode(bytes);
  const [only] = Array.isArray(filter) ? filter : [filter];
  if (only !== "/FlateDecode") return undefined;
  try {
    return decode(inflateSync(bytes, { maxOutputLength: maxPacketBytes }));
  } catch {
    return undefined; // damaged or a bomb: replaced
  }
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  return new TextDecoder().decode(bytes);
}
