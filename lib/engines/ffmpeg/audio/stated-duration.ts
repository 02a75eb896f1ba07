import type { FileHandle } from "node:fs/promises";
import { openRegular } from "#lib/files/regular-files.ts";

/** The duration of audio files by the samples that ffmpeg, when it has encoded them, states in the file. */

/** The duration of the file at `path` in seconds; undefined if it is not FLAC, WAV or Ogg Vorbis. */
export async function statedDuration(path: string): Promise<number | undefined> {
  const file = await openRegular(path);
  try {
    const head = await readAt(file, 0, 64);
    if (head.length < 64) return undefined;
    const mark = head.toString("latin1", 0, 4);
    if (mark === "fLaC") return flacDuration(head);
    if (mark === "RIFF") return await wavDuration(file);
    const isVorbis = mark === "OggS" && head.toString("latin1", 28, 35) === "\x01vorbis";
    return isVorbis ? await vorbisDuration(file, head) : undefined;
  } finally {
    await file.close();
  }
}

/** RFC 9639, 8.2: 20 bits with the sample rate, 8 bits, and 36 with the samples, which may be unknown. */
function flacDuration(head: Buffer): number | undefined {
  const sampleRate = head.readUIntBE(18, 3) >>> 4;
  const samples = head.readUIntBE(21, 5) % 2 ** 36;
  return samples > 0 ? samples / sampleRate : undefined;
}

/** No file that ffmpeg writes has more chunks before the samples. */
const maxChunks = 16;

/** RF64 states the size elsewhere, so that it has no duration here. */
async function wavDuration(file: FileHandle): Promise<number | undefined> {
  let byteRate = 0;
  let at = 12;
  for (let count = 0; count < maxChunks; count++) {
    const chunk = await readAt(file, at, 20);
    if (chunk.length < 8) return undefined;
    const name = chunk.toString("latin1", 0, 4);
    const size = chunk.readUInt32LE(4);
    if (name === "fmt " && chunk.length === 20) byteRate = chunk.readUInt32LE(16);
    if (name === "data") return byteRate > 0 ? size / byteRate : undefined;
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** A page (RFC 3533, 6): 27 bytes, and up to 255 segments of up to 255 bytes, with a byte for the size of each. */
const maxPageBytes = 27 + 255 + 255 * 255;

/** The last page of the first stream states how many samples end in it (Vorbis I, A.2). */
async function vorbisDuration(file: FileHandle, head: Buffer): Promise<number | undefined> {
  const sampleRate = head.readUInt32LE(40);
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - maxPageBytes), maxPageBytes);
  for (let end = tail.length; end > 0; ) {
    const at = tail.subarray(0, end).lastIndexOf("OggS");
    end = at;
    const isPage = at >= 0 && at + 27 <= tail.length;
    if (!isPage || tail.readUInt32LE(at + 14) !== head.readUInt32LE(14)) continue;
    const samples = tail.readBigInt64LE(at + 6);
    // No packet ends in a page with -1.
    if (samples >= 0n) return Number(samples) / sampleRate;
  }
  return undefined;
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
