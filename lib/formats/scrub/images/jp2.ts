import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { type Box, readBoxes } from "../../iso-boxes/iso-boxes.ts";
import { replaceWithFree } from "../isobmff.ts";
import type { Patch, PatchSource } from "../patch.ts";

/**
 * Removes metadata from JPEG 2000 files (ISO/IEC 15444-1) in place, because boxes of the extended
 * format refer to positions: XML, UUID and rights boxes become `free` boxes, comments in the
 * codestream become zeros. Color, palette and resolution stay.
 */

const keptBoxes: Readonly<Record<string, ReadonlySet<string>>> = {
  file: new Set(["jP  ", "ftyp", "rreq", "jp2c", "jpch", "jplh", "ftbl", "dtbl", "comp", "drep"]),
  jp2h: new Set(["ihdr", "bpcc", "colr", "pclr", "cmap", "cdef", "res "]),
};

/** Markers of a codestream (ISO/IEC 15444-1, table A.2). */
const marker = { start: 0xff4f, tilePart: 0xff90, data: 0xff93, end: 0xffd9, comment: 0xff64 };
const maxSegments = 1_000_000;

/** The changes to a JPEG 2000 file, or to a codestream. Throws `RangeError` where it is broken. */
export async function planJp2(source: PatchSource): Promise<Patch[]> {
  const isCodestream = (await source.read(0, 2)).readUInt16BE(0) === marker.start;
  if (isCodestream) return planCodestream(source, 0, source.size);
  const patches: Patch[] = [];
  const boxes = await readBoxes(source, 0, source.size);
  if (!boxes.some(({ type }) => type === "jp2c")) throw new DamagedDataError("no codestream");
  for (const box of boxes) {
    if (box.type === "jp2h") patches.push(...(await planHeader(source, box)));
    else if (!keptBoxes.file?.has(box.type)) patches.push(...replaceWithFree(box));
    else if (box.type === "jp2c") {
      patches.push(...(await planCodestream(source, box.content, box.end)));
    }
  }
  return patches;
}

async function planHeader(source: PatchSource, header: Box): Promise<Patch[]> {
  const boxes = await readBoxes(source, header.content, header.end);
  return boxes.filter(({ type }) => !keptBoxes.jp2h?.has(type)).flatMap(replaceWithFree);
}

/** Clears the comments in the main header and in those of the tile-parts. */
async function planCodestream(source: PatchSource, start: number, end: number): Promise<Patch[]> {
  const patches: Patch[] = [];
  let tilePartEnd = end;
  for (let offset = start + 2, seen = 0; offset + 4 <= end; seen++) {
    if (seen > maxSegments) throw new DamagedDataError("too many segments");
    const header = await source.read(offset, Math.min(12, end - offset));
    const kind = header.readUInt16BE(0);
    const length = header.readUInt16BE(2);
    if (kind === marker.end) break;
    if (kind === marker.data) {
      offset = tilePartEnd;
      continue;
    }
    if (kind < 0xff00 || length < 2) throw new DamagedDataError("not a marker");
    if (kind === marker.tilePart) {
      // Zero: the last tile-part, up to the end.
      const bytes = header.readUInt32BE(6);
      tilePartEnd = bytes === 0 ? end : offset + bytes;
      if (tilePartEnd <= offset) throw new DamagedDataError("empty tile-part");
    }
    if (kind === marker.comment && length > 4 && offset + 2 + length <= end) {
      patches.push({ offset: offset + 6, zeros: length - 4 });
    }
    offset += 2 + length;
  }
  return patches;
}
