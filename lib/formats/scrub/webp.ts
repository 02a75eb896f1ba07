import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { orientationExif, readOrientation } from "./exif.ts";
import type { PatchSource } from "./patch.ts";
import type { Segment } from "./segments.ts";

/** Chunks of the image (WebP container specification). EXIF, XMP and unknown ones are removed. */
const keptChunks = new Set(["VP8X", "ICCP", "ANIM", "ANMF", "ALPH", "VP8 ", "VP8L"]);

const exifFlag = 0x08;
const xmpFlag = 0x04;
const maxChunks = 100_000;

/**
 * The segments of a WebP file that are needed to display it, including its orientation. Throws
 * `RangeError` where its structure is broken.
 */
export async function planWebp(source: PatchSource): Promise<Segment[]> {
  const segments: Segment[] = [];
  let exif: Buffer | undefined;
  let flags: Buffer | undefined;
  let bytes = 4;
  const end = Math.min(source.size, (await source.read(4, 4)).readUInt32LE(0) + 8);
  for (let offset = 12, seen = 0; offset + 8 <= end; ) {
    if (++seen > maxChunks) throw new DamagedDataError("too many chunks");
    const header = await source.read(offset, 8);
    const name = header.toString("latin1", 0, 4);
    const size = header.readUInt32LE(4);
    const next = offset + 8 + size + (size % 2);
    if (next > source.size + 1) throw new DamagedDataError("chunk past the end");
    if (name === "EXIF") {
      const orientation = readOrientation(await source.read(offset + 8, size));
      if (orientation) exif = exifChunk(orientation);
    }
    if (name === "VP8X") {
      flags = await source.read(offset, next - offset);
      segments.push({ bytes: flags });
    } else if (keptChunks.has(name)) {
      segments.push({ start: offset, end: Math.min(next, source.size) });
    }
    if (keptChunks.has(name)) bytes += next - offset;
    offset = next;
  }
  if (flags) {
    const kept = (flags[8] ?? 0) & ~(exifFlag | xmpFlag);
    flags[8] = exif ? kept | exifFlag : kept;
    if (exif) segments.push({ bytes: exif });
  }
  const header = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  header.writeUInt32LE(bytes + (flags ? (exif?.length ?? 0) : 0), 4);
  return [{ bytes: header }, ...segments];
}

function exifChunk(orientation: number): Buffer {
  const tiff = orientationExif(orientation);
  const header = Buffer.from("EXIF\0\0\0\0", "latin1");
  header.writeUInt32LE(tiff.length, 4);
  return Buffer.concat([header, tiff]);
}
