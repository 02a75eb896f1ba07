import { readFileSync } from "node:fs";
import type { JobErrorCode } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { makeSound } from "./sounds.ts";

/** Sounds that are broken or made to harm, and what an operation on sound answers. */
export interface BadSound {
  readonly id: string;
  readonly type: MediaTypeId;
  readonly bytes: () => Buffer;
  /** Codes that are right; `completed` where what there is of the sound is worked on. */
  readonly answers: readonly (JobErrorCode | "completed")[];
}

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

const tone = Buffer.from(
  Int16Array.from({ length: 44_100 }, (_, n) => 8000 * Math.sin(n / 16)).buffer,
);

const half = (type: MediaTypeId) => {
  const bytes = readFileSync(makeSound(type).path);
  return bytes.subarray(0, bytes.length / 2);
};

export const badSounds: readonly BadSound[] = [
  {
    id: "wav-of-4-gib",
    type: "wav",
    bytes: () => wav(1, 0xffff_ffff, tone),
    answers: ["completed", "corrupt"],
  },
  {
    id: "wav-of-255-channels",
    type: "wav",
    bytes: () => wav(255, tone.length, tone),
    answers: ["too_complex", "corrupt"],
  },
  {
    id: "wav-without-samples",
    type: "wav",
    bytes: () => wav(1, 0, Buffer.alloc(0)),
    answers: ["corrupt"],
  },
  { id: "mp3-cut-off", type: "mp3", bytes: () => half("mp3"), answers: ["completed"] },
  { id: "flac-cut-off", type: "flac", bytes: () => half("flac"), answers: ["completed"] },
  { id: "ogg-cut-off", type: "ogg", bytes: () => half("ogg"), answers: ["completed", "corrupt"] },
  // Its index stands at the end.
  { id: "m4a-cut-off", type: "m4a", bytes: () => half("m4a"), answers: ["corrupt"] },
  {
    id: "mp3-of-tags-alone",
    type: "mp3",
    bytes: () => Buffer.from("ID3\x04\0\0\0\0\0\x0a0123456789"),
    answers: ["corrupt"],
  },
  {
    id: "mp3-of-noise",
    type: "mp3",
    bytes: () => Buffer.alloc(5000, "garbage"),
    answers: ["corrupt", "unsupported_type"],
  },
  {
    id: "playlist-named-mp3",
    type: "mp3",
    bytes: () => Buffer.from("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"),
    answers: ["corrupt", "unsupported_type"],
  },
];
