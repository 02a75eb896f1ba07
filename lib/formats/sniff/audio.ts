import type { ByteSource } from "#lib/media/byte-source.ts";
import type { MediaTypeId } from "#lib/media/types.ts";

/** Audio frames without a container (MP3, AAC), and Ogg. */

/** Bit rates of MPEG audio layer III in kbit/s by header index: version 1, versions 2 and 2.5. */
const bitRates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitRates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRates = [44_100, 48_000, 32_000];

/** Detects MP3 and ADTS AAC, with or without a leading ID3 tag, and FLAC after one. */
export async function detectFrames(source: ByteSource): Promise<MediaTypeId | undefined> {
  const { head } = source;
  if (head.toString("latin1", 0, 3) !== "ID3") return detectFramesAt(head, 0);
  const start = 10 + synchsafe(head) + ((head.readUInt8(5) & 0x10) !== 0 ? 10 : 0);
  const padded = await source.read(start, 16 * 1024);
  const first = padded.findIndex((byte) => byte !== 0);
  const frames = padded.subarray(Math.max(0, first));
  if (frames.toString("latin1", 0, 4) === "fLaC") return "flac";
  // A file that begins with an ID3 tag is MP3, unless another format is detected.
  return detectFramesAt(frames, 0) ?? "mp3";
}

/** The size of an ID3v2 tag: four bytes of seven bits (ID3v2.4, 6.2). */
function synchsafe(head: Buffer): number {
  return head.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
}

function detectFramesAt(bytes: Buffer, at: number): MediaTypeId | undefined {
  if (isFrameSequence(bytes, at, adtsFrameBytes)) return "aac";
  return isFrameSequence(bytes, at, mp3FrameBytes) ? "mp3" : undefined;
}

/** Whether two frames follow each other, or one frame fills the bytes. */
function isFrameSequence(
  bytes: Buffer,
  at: number,
  frameBytes: (bytes: Buffer, at: number) => number,
) {
  const first = frameBytes(bytes, at);
  if (first === 0) return false;
  const next = at + first;
  return next + 7 > bytes.length || frameBytes(bytes, next) > 0;
}

/** The length in bytes of the ADTS frame at `at` (ISO/IEC 13818-7), or 0. */
function adtsFrameBytes(bytes: Buffer, at: number): number {
  if (at + 7 > bytes.length || (bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return 0;
  if (((bytes.readUInt8(at + 2) >> 2) & 15) > 12) return 0;
  const length = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
  return length >= 7 ? length : 0;
}

/** The length in bytes of the MPEG audio layer III frame at `at` (ISO/IEC 11172-3), or 0. */
function mp3FrameBytes(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) return 0;
  const header = bytes.readUInt32BE(at);
  if ((header & 0xffe00000) >>> 0 !== 0xffe00000) return 0;
  const version = (header >>> 19) & 3; // 3: MPEG-1, 2: MPEG-2, 0: MPEG-2.5
  const layer = (header >>> 17) & 3; // 1: layer III
  const bitRate = (version === 3 ? bitRates1 : bitRates2)[(header >>> 12) & 15];
  const sampleRate = sampleRates[(header >>> 10) & 3];
  if (version === 1 || layer !== 1 || !bitRate || !sampleRate) return 0;
  const rate = version === 3 ? sampleRate : version === 2 ? sampleRate / 2 : sampleRate / 4;
  const padding = (header >>> 9) & 1;
  return Math.floor(((version === 3 ? 144_000 : 72_000) * bitRate) / rate) + padding;
}

/** Detects Ogg files by the first packet of each stream. Audio other than Opus is `ogg`. */
export function detectOgg({ head }: ByteSource): MediaTypeId | undefined {
  if (head.toString("latin1", 0, 4) !== "OggS") return undefined;
  const codecs: string[] = [];
  let at = 0;
  // The first pages of all streams come before the other pages (RFC 3533) and have a flag.
  while (at + 27 < head.length && (head.readUInt8(at + 5) & 2) !== 0) {
    if (head.toString("latin1", at, at + 4) !== "OggS") break;
    const segments = head.readUInt8(at + 26);
    const data = at + 27 + segments;
    codecs.push(head.toString("latin1", data, data + 8));
    at = data + head.subarray(at + 27, data).reduce((sum, size) => sum + size, 0);
  }
  if (codecs.some((codec) => /^(\x80theora|BBCD|\x4fVP80)/.test(codec))) return "ogv";
  if (codecs.some((codec) => codec.startsWith("\x01vorbis"))) return "ogg";
  if (codecs.includes("OpusHead")) return "opus";
  return codecs.some((codec) => /^(\x7fFLAC|Speex)/.test(codec)) ? "ogg" : "unknown";
}
