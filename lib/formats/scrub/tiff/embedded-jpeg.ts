import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { Patch, PatchSource } from "../patch.ts";

/** A JPEG has a few dozen segments before its pixels. */
const maxSegments = 2000;

/**
 * The changes to a JPEG inside of another file, at `offset` with `length` bytes: the contents of segments
 * with metadata (EXIF, XMP, IPTC, makers' notes, comments) become zeros. JFIF and Adobe's segment, the
 * ICC profile and all that the pixels need stay. Nothing is changed in data that is not a JPEG. Throws
 * `RangeError` where a segment ends outside of the data.
 */
export async function planEmbeddedJpeg(
  source: PatchSource,
  offset: number,
  length: number,
): Promise<Patch[]> {
  const end = Math.min(offset + length, source.size);
  if (end - offset < 4 || (await source.read(offset, 2)).toString("hex") !== "ffd8") return [];
  const patches: Patch[] = [];
  let at = offset + 2;
  for (let count = 0; at + 4 <= end && count < maxSegments; count++) {
    const head = await source.read(at, Math.min(4 + iccMark.length, end - at));
    const marker = head.readUInt8(1);
    if (head[0] !== 0xff || marker === startOfScan || marker === endOfImage) break;
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else {
      const size = head.readUInt16BE(2);
      if (size < 2 || at + 2 + size > end) throw new DamagedDataError("segment past the end");
      if (isMetadata(marker, head.subarray(4))) patches.push({ offset: at + 4, zeros: size - 2 });
      at += 2 + size;
    }
  }
  return patches;
}

const startOfScan = 0xda;
const endOfImage = 0xd9;
const comment = 0xfe;
const iccMark = "ICC_PROFILE\0";

/** Whether a segment is neither needed to decode the pixels nor to show their colors. */
function isMetadata(marker: number, content: Buffer): boolean {
  if (marker === comment) return true;
  if (marker < 0xe0 || marker > 0xef) return false;
  if (marker === 0xe0 || marker === 0xee) return false;
  return !(marker === 0xe2 && content.toString("latin1").startsWith(iccMark));
}
