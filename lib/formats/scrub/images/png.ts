import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { orientationExif, readOrientation } from "../exif.ts";
import { metadataChunks, pngChunk } from "../image.ts";
import type { PatchSource } from "../patch.ts";
import type { Segment } from "../segments.ts";

/** A chunk of a PNG (PNG, third edition, 5.3). */
interface Chunk {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const signatureBytes = 8;
/** The length and the name of a chunk, and the length, the name and the check sum. */
const headerBytes = 8;
const frameBytes = 12;
/** The bytes that are read at a time: chunks may be short. */
const blockBytes = 64 * 1024;
/** The parts of a file between its metadata that are copied; there are more of them than of any use. */
const maxSegments = 10_000;

/** The chunks up to `IEND`. Throws `DamagedDataError` where one ends after the file, or `IEND` is missing. */
async function* readChunks(source: PatchSource): AsyncGenerator<Chunk> {
  let block: Buffer = Buffer.alloc(0);
  let blockStart = 0;
  for (let start = signatureBytes; start + frameBytes <= source.size; ) {
    if (start + headerBytes > blockStart + block.length) {
      block = await source.read(start, Math.min(blockBytes, source.size - start));
      blockStart = start;
    }
    const at = start - blockStart;
    const end = start + frameBytes + block.readUInt32BE(at);
    if (end > source.size) break;
    const name = block.toString("latin1", at + 4, at + headerBytes);
    yield { name, start, end };
    if (name === "IEND") return;
    start = end;
  }
  throw new DamagedDataError("no end of the image");
}

/** Segments in which successive chunks are one. */
class Segments {
  readonly list: Segment[] = [{ start: 0, end: signatureBytes }];

  add({ start, end }: Pick<Chunk, "start" | "end">): void {
    const last = this.list.at(-1);
    if (last && "end" in last && last.end === start) {
      this.list[this.list.length - 1] = { start: last.start, end };
    } else this.list.push({ start, end });
    if (this.list.length > maxSegments) throw new DamagedDataError("too many chunks");
  }
}

/**
 * The segments of a PNG file without text, times, XMP, C2PA and EXIF data other than its orientation, and
 * without what follows its end. Throws `RangeError` where its structure is broken.
 */
export async function planPng(source: PatchSource): Promise<Segment[]> {
  const segments = new Segments();
  for await (const chunk of readChunks(source)) {
    if (!metadataChunks.has(chunk.name)) segments.add(chunk);
    else if (chunk.name === "eXIf") {
      const { start, end } = chunk;
      const exif = await source.read(start + headerBytes, end - start - frameBytes);
      const orientation = readOrientation(exif);
      if (!orientation) continue;
      segments.list.push({ bytes: pngChunk("eXIf", orientationExif(orientation)) });
    }
  }
  return segments.list;
}

/** The chunks of metadata that are read for the names of tags. */
const maxNamedChunks = 1000;

/** Chunks of the pixels. */
const pixelChunks: ReadonlySet<string> = new Set(["IDAT", "fcTL", "fdAT"]);

/**
 * The segments of a PNG file without its pixels and with its first 1000 other chunks: what names its
 * tags. Throws as `planPng` does.
 */
export async function planPngTags(source: PatchSource): Promise<Segment[]> {
  const segments = new Segments();
  let count = 0;
  for await (const chunk of readChunks(source)) {
    const isNamed = !pixelChunks.has(chunk.name) && ++count <= maxNamedChunks;
    if (isNamed || chunk.name === "IEND") segments.add(chunk);
  }
  return segments.list;
}
