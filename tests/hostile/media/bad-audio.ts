import { readFileSync } from "node:fs";
import type { MediaTypeId } from "#lib/media/types.ts";
import { makeBlackPng } from "#tests/samples/images/image-bytes.ts";
import { makeVideo, tone } from "#tests/samples/videos.ts";
import type { BadInput } from "../bad-input.ts";

/** Bad inputs: damaged and malicious audio files. */

/** A WAV header that declares `channels` and `dataBytes`, then `data`. */
function wav(channels: number, dataBytes: number, data: Buffer): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF");
  header.writeUInt32LE(0xffff_ffff, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(44_100, 24);
  header.writeUInt32LE(44_100 * 2 * channels, 28);
  header.writeUInt16LE(2 * channels, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(dataBytes, 40);
  return Buffer.concat([header, data]);
}

const samples = Buffer.from(
  Int16Array.from({ length: 44_100 }, (_, n) => 8000 * Math.sin(n / 16)).buffer,
);

const encoders: Partial<Record<MediaTypeId, string>> = { ogg: "libvorbis", m4a: "aac" };

function makeAudio(type: MediaTypeId): Buffer {
  const encoder = encoders[type];
  return readFileSync(makeVideo(type, ...tone(1), ...(encoder ? ["-c:a", encoder] : [])));
}

const firstHalf = (type: MediaTypeId) => () => {
  const bytes = makeAudio(type);
  return bytes.subarray(0, bytes.length / 2);
};

/** An ID3v2.3 tag with one frame. The frame's size is a plain integer, the tag's has 7 bits per byte. */
export function id3(name: string, content: Buffer): Buffer {
  const frame = Buffer.alloc(10);
  frame.write(name, "latin1");
  frame.writeUInt32BE(content.length, 4);
  const size = content.length + 10;
  const head = Buffer.from([
    0x49,
    0x44,
    0x33,
    3,
    0,
    0,
    (size >> 21) & 127,
    (size >> 14) & 127,
    (size >> 7) & 127,
    size & 127,
  ]);
  return Buffer.concat([head, frame, content]);
}

const cover = () =>
  id3(
    "APIC",
    Buffer.concat([
      Buffer.from("\0image/png\0\x03\0", "latin1"),
      makeBlackPng({ width: 50_000, height: 50_000, pixels: Buffer.alloc(9) }),
    ]),
  );

const row = (
  id: string,
  type: MediaTypeId,
  build: () => Buffer,
  ...expected: BadInput["expected"]
): BadInput => ({ id, type, build, expected });

export const badAudio: readonly BadInput[] = [
  row("a WAV that declares 4 GiB", "wav", () => wav(1, 0xffff_ffff, samples), "completes"),
  row(
    "a WAV with 255 channels",
    "wav",
    () => wav(255, samples.length, samples),
    "too_complex",
    "corrupt",
  ),
  row("a WAV without samples", "wav", () => wav(1, 0, Buffer.alloc(0)), "corrupt"),
  row("a truncated MP3", "mp3", firstHalf("mp3"), "completes"),
  row("a truncated FLAC", "flac", firstHalf("flac"), "completes"),
  row("a truncated Ogg", "ogg", firstHalf("ogg"), "completes", "corrupt"),
  // Its index is at the end.
  row("a truncated M4A", "m4a", firstHalf("m4a"), "corrupt"),
  row("a truncated AAC", "aac", firstHalf("aac"), "completes"),
  row("a truncated Opus", "opus", firstHalf("opus"), "completes", "corrupt"),
  row(
    "an MP3 with only tags",
    "mp3",
    () => Buffer.from("ID3\x04\0\0\0\0\0\x0a0123456789"),
    "corrupt",
  ),
  row("an MP3 of noise", "mp3", () => Buffer.alloc(5000, "garbage"), "corrupt", "unsupported_type"),
  row(
    "an MP3 with a cover of 50,000²",
    "mp3",
    () => Buffer.concat([cover(), makeAudio("mp3")]),
    "completes",
    "too_complex",
  ),
];
