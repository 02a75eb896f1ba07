import { readFileSync } from "node:fs";
import type { MediaTypeId } from "#lib/media/types.ts";
import { blackPng } from "../samples/image-bytes.ts";
import { makeVideo, tone } from "../samples/videos.ts";
import type { BadInput } from "./bad-input.ts";

/** Sounds that are broken or made to harm. */

/** A WAV header that claims `channels` and `dataBytes`, before `data`. */
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

function sound(type: MediaTypeId): Buffer {
  const encoder = encoders[type];
  return readFileSync(makeVideo(type, ...tone(1), ...(encoder ? ["-c:a", encoder] : [])));
}

const half = (type: MediaTypeId) => () => {
  const bytes = sound(type);
  return bytes.subarray(0, bytes.length / 2);
};

/** An ID3v2.3 tag of one frame; frames' sizes are plain, the tag's has 7 bits a byte. */
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
    ...[21, 14, 7, 0].map((n) => (size >> n) & 127),
  ]);
  return Buffer.concat([head, frame, content]);
}

const cover = () =>
  id3(
    "APIC",
    Buffer.concat([
      Buffer.from("\0image/png\0\x03\0", "latin1"),
      blackPng({ width: 50_000, height: 50_000, pixels: Buffer.alloc(9) }),
    ]),
  );

const row = (
  id: string,
  type: MediaTypeId,
  build: () => Buffer,
  ...answers: BadInput["answers"]
): BadInput => ({ id, type, build, answers });

export const badSounds: readonly BadInput[] = [
  row("a WAV of 4 GiB by its header", "wav", () => wav(1, 0xffff_ffff, samples), "completes"),
  row(
    "a WAV of 255 channels",
    "wav",
    () => wav(255, samples.length, samples),
    "too_complex",
    "corrupt",
  ),
  row("a WAV without samples", "wav", () => wav(1, 0, Buffer.alloc(0)), "corrupt"),
  row("an MP3 that breaks off", "mp3", half("mp3"), "completes"),
  row("a FLAC that breaks off", "flac", half("flac"), "completes"),
  row("an Ogg that breaks off", "ogg", half("ogg"), "completes", "corrupt"),
  // Its index stands at the end.
  row("an M4A that breaks off", "m4a", half("m4a"), "corrupt"),
  row("an AAC that breaks off", "aac", half("aac"), "completes"),
  row("an Opus that breaks off", "opus", half("opus"), "completes", "corrupt"),
  row(
    "an MP3 of tags alone",
    "mp3",
    () => Buffer.from("ID3\x04\0\0\0\0\0\x0a0123456789"),
    "corrupt",
  ),
  row("an MP3 of noise", "mp3", () => Buffer.alloc(5000, "garbage"), "corrupt", "unsupported_type"),
  row(
    "an MP3 with a cover of 50,000²",
    "mp3",
    () => Buffer.concat([cover(), sound("mp3")]),
    "completes",
    "too_complex",
  ),
];
