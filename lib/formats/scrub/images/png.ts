import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { type PngChunk, pngChunk, pngSignature, walkChunks } from "../../png/chunks.ts";
import { orientationExif, readOrientation } from "../exif.ts";
import { keptChunks } from "../image.ts";
import { type PatchSource, TooManyPatchesError } from "../patch.ts";
import type { Segment } from "../segments.ts";

/** The parts of a file between its metadata that are copied; there are more of them than of any use. */
const maxSegments = 10_000;

/** The chunks up to `IEND`. Throws `DamagedDataError` where one ends after the file, or `IEND` is missing. */
async function* readChunks(source: PatchSource): AsyncGenerator<PngChunk> {
  for await (const chunk of walkChunks(source, source.size)) {
    yield chunk;
    if (chunk.name === "IEND") return;
  }
  throw new DamagedDataError("no end of the image");
}

/** Segments in which successive chunks are one. */
class Segments {
  readonly list: Segment[] = [{ start: 0, end: pngSignature.length }];

  add({ start, end }: Pick<PngChunk, "start" | "end">): void {
    const last = this.list.at(-1);
    if (last && "end" in last && last.end === start) {
      this.list[this.list.length - 1] = { start: last.start, end };
    } else this.list.push({ start, end });
    if (this.list.length > maxSegments) throw new TooManyPatchesError();
  }
}

/**
 * The segments of a PNG file that display it, including the orientation of its first EXIF chunk: a PNG may
 * have only one. Throws `RangeError` where its structure is broken, and `TooManyPatchesError`.
 */
export async function planPng(source: PatchSource): Promise<Segment[]> {
  const segments = new Segments();
  let hasExif = false;
  for await (const chunk of readChunks(source)) {
    if (keptChunks.has(chunk.name)) segments.add(chunk);
    else if (chunk.name === "eXIf" && !hasExif) {
      hasExif = true;
      const { content, contentEnd } = chunk;
      const orientation = readOrientation(await source.read(content, contentEnd - content));
      if (!orientation) continue;
      segments.list.push({ bytes: pngChunk("eXIf", orientationExif(orientation)) });
    }
  }
  return segments.list;
}

/** The removed chunks that are read for the names of tags. */
const maxNamedChunks = 1000;

/**
 * The segments of a PNG file with its header and the first 1000 chunks that `planPng` removes: what names its
 * removed tags. Throws as `planPng` does.
 */
export async function planPngTags(source: PatchSource): Promise<Segment[]> {
  const segments = new Segments();
  let count = 0;
  for await (const chunk of readChunks(source)) {
    const { name } = chunk;
    const isNamed = !keptChunks.has(name) && ++count <= maxNamedChunks;
    if (isNamed || name === "IHDR" || name === "IEND") segments.add(chunk);
  }
  return segments.list;
}
