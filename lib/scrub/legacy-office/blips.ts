import type { Patch } from "../patch.ts";
import { blankPicture } from "./clear-image.ts";
import type { ScatteredBytes } from "./fragmented-bytes.ts";

/** JPEG (RGB, CMYK) and PNG pictures of office files (MS-ODRAW, 2.2.27, 2.2.28), kept as they came. */
const blipTypes = new Set([0xf01d, 0xf02a, 0xf01e]);

const marks = [Buffer.from("ffd8ff", "hex"), Buffer.from("89504e470d0a1a0a", "hex")];

/** A record's header, one or two checksums, a tag. */
const distances = [8 + 17, 8 + 33];

const chunkBytes = 4 * 2 ** 20;
/** So much of the chunk before is read again: a header and a mark may lie across the two. */
const overlap = 64;

/** What empties the metadata of the pictures in `stream`, which are found by their records' headers. */
export async function blankBlips(stream: ScatteredBytes): Promise<Patch[]> {
  const patches: Patch[] = [];
  let done = 0; // a picture may hold another one, its thumbnail
  for (let start = 0; start < stream.size; start += chunkBytes) {
    const before = Math.min(start, overlap);
    const length = Math.min(before + chunkBytes, stream.size - start + before);
    const chunk = await stream.read(start - before, length);
    for (const { at, bytes } of findBlips(chunk)) {
      const offset = start - before + at;
      if (offset < done || offset + bytes > stream.size) continue;
      done = offset + bytes;
      for (const patch of blankPicture(await stream.read(offset, bytes))) {
        const place = offset + patch.offset;
        patches.push(
          ...("bytes" in patch
            ? stream.write(place, patch.bytes)
            : stream.erase(place, patch.zeros)),
        );
      }
    }
  }
  return patches;
}

/** Pictures that begin in `chunk` behind a record's header, in order, and how long that says they are. */
function findBlips(chunk: Buffer): { at: number; bytes: number }[] {
  const found: { at: number; bytes: number }[] = [];
  for (const mark of marks) {
    for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, at + 1)) {
      for (const distance of distances) {
        const header = at - distance;
        if (header < 0 || !blipTypes.has(chunk.readUInt16LE(header + 2))) continue;
        const bytes = chunk.readUInt32LE(header + 4) - (distance - 8);
        if (bytes > 0) found.push({ at, bytes });
      }
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
