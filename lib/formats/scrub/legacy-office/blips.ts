import type { Patch } from "../patch.ts";
import { clearImage } from "./clear-image.ts";
import type { FragmentedBytes } from "./fragmented-bytes.ts";

/** BLIP records that hold a JPEG (RGB, CMYK) or a PNG as a whole (MS-ODRAW, 2.2.27, 2.2.28). */
const blipTypes = new Set([0xf01d, 0xf02a, 0xf01e]);

const signatures = [Buffer.from("ffd8ff", "hex"), Buffer.from("89504e470d0a1a0a", "hex")];

/** The distances from a record to its image: the header, one or two checksums, a tag. */
const imageOffsets = [8 + 17, 8 + 33];

const chunkBytes = 4 * 2 ** 20;
/** Bytes of the previous chunk that are read again: a header and a signature may span two chunks. */
const overlap = 64;

/** Clears the metadata of the images in `stream`, which are found by the headers of their records. */
export async function clearBlips(stream: FragmentedBytes): Promise<Patch[]> {
  const patches: Patch[] = [];
  let done = 0; // an image may contain a second one, its thumbnail
  for (let start = 0; start < stream.size; start += chunkBytes) {
    const before = Math.min(start, overlap);
    const length = Math.min(before + chunkBytes, stream.size - start + before);
    const chunk = await stream.read(start - before, length);
    for (const { at, bytes } of findBlips(chunk)) {
      const offset = start - before + at;
      if (offset < done || offset + bytes > stream.size) continue;
      done = offset + bytes;
      for (const patch of clearImage(await stream.read(offset, bytes))) {
        const position = offset + patch.offset;
        patches.push(
          ...("bytes" in patch
            ? stream.write(position, patch.bytes)
            : stream.clear(position, patch.zeros)),
        );
      }
    }
  }
  return patches;
}

/** Images that begin in `chunk` after a record's header, in order, with their length by that header. */
function findBlips(chunk: Buffer): { at: number; bytes: number }[] {
  const found: { at: number; bytes: number }[] = [];
  for (const signature of signatures) {
    for (let at = chunk.indexOf(signature); at >= 0; at = chunk.indexOf(signature, at + 1)) {
      for (const imageOffset of imageOffsets) {
        const header = at - imageOffset;
        if (header < 0 || !blipTypes.has(chunk.readUInt16LE(header + 2))) continue;
        const bytes = chunk.readUInt32LE(header + 4) - (imageOffset - 8);
        if (bytes > 0) found.push({ at, bytes });
      }
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
