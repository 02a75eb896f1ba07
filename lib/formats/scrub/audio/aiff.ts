import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { PatchSource } from "../patch.ts";
import type { Segment } from "../segments.ts";
import { readChunkList } from "./chunks.ts";

/** Chunks of an AIFF or AIFF-C file that are needed to play it, with the loops of an instrument. */
const keptChunks = new Set(["FVER", "COMM", "SSND", "MARK", "INST"]);

/**
 * The segments of an AIFF file without names, authors, comments, ID3 tags and data of programs.
 * Markers stay without their names. Throws `RangeError` where its structure is broken.
 */
export async function planAiff(source: PatchSource): Promise<Segment[]> {
  const form = await source.read(0, 12);
  const chunks = await readChunkList(source, 12, { lengthBytes: 4, alignment: 2 });
  const kept = chunks.filter(({ type }) => keptChunks.has(type));
  if (!kept.some(({ type }) => type === "COMM")) throw new DamagedDataError("no common chunk");
  const segments: Segment[] = [];
  let bytes = 4;
  for (const { type, offset, content, end } of kept) {
    const markers = type === "MARK" ? await source.read(content, end - content) : undefined;
    const header = await source.read(offset, 8);
    if (markers) segments.push({ bytes: Buffer.concat([header, clearMarkerNames(markers)]) });
    else segments.push({ start: offset, end });
    if (end % 2 === 1) segments.push({ bytes: Buffer.alloc(1) });
    bytes += end - offset + (end % 2);
  }
  form.writeUInt32BE(bytes, 4);
  return [{ bytes: form }, ...segments];
}

/** Each marker is an id, a position and a Pascal string, padded to an even length. */
function clearMarkerNames(markers: Buffer): Buffer {
  for (let at = 2; at + 7 <= markers.length; ) {
    const length = markers[at + 6] ?? 0;
    const name = at + 7;
    markers.fill(" ", name, name + length);
    at = name + length + ((length + 1) % 2);
  }
  return markers;
}
