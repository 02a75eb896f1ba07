import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { PatchSource } from "../patch.ts";
import type { Segment } from "../segments.ts";

/**
 * The frames of an MP3 or raw AAC file without the tags around them: ID3v2 before them, ID3v1, APE
 * and Lyrics3 after them. The Xing or LAME frame stays: it has the encoder delay and the padding.
 */
export async function planAudioFrames(source: PatchSource): Promise<Segment[]> {
  let start = 0;
  for (let tag = await leadingTag(source, 0); tag > 0; tag = await leadingTag(source, start)) {
    start += tag;
  }
  let end = source.size;
  for (let tag = await trailingTag(source, end); tag > 0; tag = await trailingTag(source, end)) {
    end -= tag;
  }
  if (end <= start) throw new DamagedDataError("only tags");
  return [{ start, end }];
}

const apeFooterBytes = 32;

/** The length of the tag that begins at `offset`, or 0. */
async function leadingTag(source: PatchSource, offset: number): Promise<number> {
  const head = await source.read(offset, Math.min(apeFooterBytes, source.size - offset));
  if (head.length < 10) return 0;
  if (head.toString("latin1", 0, 3) === "ID3") {
    const footer = (head[5] ?? 0) & 0x10 ? 10 : 0;
    return Math.min(10 + syncsafe(head, 6) + footer, source.size - offset);
  }
  if (head.length < apeFooterBytes || head.toString("latin1", 0, 8) !== "APETAGEX") return 0;
  return Math.min(apeFooterBytes + head.readUInt32LE(12), source.size - offset);
}

/** The length of the tag that ends at `end`, or 0. */
async function trailingTag(source: PatchSource, end: number): Promise<number> {
  const tail = await source.read(Math.max(0, end - 355), Math.min(355, end));
  const text = (fromEnd: number, length: number) => {
    const at = tail.length - fromEnd;
    return at < 0 ? "" : tail.toString("latin1", at, at + length);
  };
  if (text(128, 3) === "TAG") return text(355, 4) === "TAG+" ? 355 : 128;
  if (text(32, 8) === "APETAGEX") {
    const at = tail.length - apeFooterBytes;
    const header = tail.readUInt32LE(at + 20) >= 0x80000000 ? apeFooterBytes : 0;
    return Math.min(tail.readUInt32LE(at + 12) + header, end);
  }
  if (text(9, 9) === "LYRICS200") return Math.min(15 + (Number(text(15, 6)) || 0), end);
  if (text(10, 3) === "3DI") return Math.min(20 + syncsafe(tail, tail.length - 4), end);
  return 0;
}

/** A 28-bit number in four bytes of seven bits (ID3v2.4, 6.2). */
function syncsafe(bytes: Buffer, at: number): number {
  return [0, 1, 2, 3].reduce((sum, index) => sum * 128 + ((bytes[at + index] ?? 0) & 0x7f), 0);
}
