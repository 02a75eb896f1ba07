import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { PatchSource } from "../patch.ts";
import type { Segment } from "../segments.ts";

const headerBytes = 32;
const maxBlocks = 5_000_000;

/** The low six bits of a sub-block's id; the others say how its length is stored. */
const idMask = 0x3f;
const hasLargeLength = 0x80;
/** Headers and trailers of the file that was encoded, such as a WAV file with its tags. */
const wrapperIds = new Set([0x21, 0x22, 0x23, 0x24]);
/** A checksum of the whole block, which a changed block no longer has. It is optional. */
const checksumId = 0x2f;

/**
 * The blocks of a WavPack file without the headers of the encoded file, and without the tags after
 * them (APEv2, ID3v1). Samples stay as they are. Throws `RangeError` where its structure is broken.
 */
export async function planWavpack(source: PatchSource): Promise<Segment[]> {
  const segments: Segment[] = [];
  let start = 0;
  let offset = 0;
  for (let seen = 0; offset + headerBytes <= source.size; seen++) {
    if (seen > maxBlocks) throw new DamagedDataError("too many blocks");
    const header = await source.read(offset, headerBytes);
    if (header.toString("latin1", 0, 4) !== "wvpk") break;
    const end = offset + 8 + header.readUInt32LE(4);
    if (end < offset + headerBytes) throw new DamagedDataError("block without its header");
    const body = await source.read(offset + headerBytes, end - offset - headerBytes);
    const kept = withoutWrappers(body);
    if (kept) {
      header.writeUInt32LE(headerBytes - 8 + kept.length, 4);
      segments.push({ start, end: offset }, { bytes: Buffer.concat([header, kept]) });
      start = end;
    }
    offset = end;
  }
  if (offset === 0) throw new DamagedDataError("no block");
  return [...segments, { start, end: offset }];
}

/** The sub-blocks that stay; undefined if all do. */
function withoutWrappers(body: Buffer): Buffer | undefined {
  const parts: { id: number; bytes: Buffer }[] = [];
  for (let at = 0; at + 2 <= body.length; ) {
    const id = body[at] ?? 0;
    const isLarge = (id & hasLargeLength) !== 0;
    if (isLarge && at + 4 > body.length) throw new DamagedDataError("sub-block without its length");
    const words = isLarge ? body.readUIntLE(at + 1, 3) : (body[at + 1] ?? 0);
    const end = at + (isLarge ? 4 : 2) + words * 2;
    if (end > body.length) throw new DamagedDataError("sub-block past its block");
    parts.push({ id: id & idMask, bytes: body.subarray(at, end) });
    at = end;
  }
  if (!parts.some(({ id }) => wrapperIds.has(id))) return undefined;
  const kept = parts.filter(({ id }) => !wrapperIds.has(id) && id !== checksumId);
  return Buffer.concat(kept.map(({ bytes }) => bytes));
}
