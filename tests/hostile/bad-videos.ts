import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MediaTypeId } from "#lib/media/types.ts";
import { pack, setInBoxes } from "../samples/boxes.ts";
import { h264, makeVideo, picture, tone, videoFolder } from "../samples/videos.ts";
import type { BadInput } from "./bad-input.ts";

/** Films that are broken, odd or made to harm. */

const small = picture("size=64x36:rate=10:duration=1");

/** One second, 64×36, 10 frames/s, H.264 and AAC; its index is at the end. */
const film = () => makeVideo("mp4", ...small, ...tone(1), ...h264, "-c:a", "aac");
const copy = (extension: string, ...options: string[]) =>
  makeVideo(extension, "-i", film(), "-c", "copy", ...options);
const indexFirst = () => copy("mp4", "-movflags", "+faststart");

/** The file that `source` gives, changed. */
const patch =
  (source: () => string, change: (bytes: Buffer) => Buffer): (() => Buffer) =>
  () =>
    change(Buffer.from(readFileSync(source())));

const row =
  (answers: BadInput["answers"]) =>
  (
    id: string,
    type: MediaTypeId,
    build: () => string | Buffer,
    more: Partial<BadInput> = {},
  ): BadInput => ({ ...{ id, type, build, answers }, ...more });

const corrupt = row(["corrupt"]);
const tooComplex = row(["too_complex"]);
const unsupported = row(["unsupported_type"]);
const fine = row(["completes"]);

/** Its pictures are what is wrong with it: there is no sound to work on. */
const silent = { except: { audio: ["unsupported_type"] } } as const;
const fineSound = { except: { audio: ["completes"] } } as const;

/** An Animator file: a header that says 64×36 in 8 bits, and one empty frame. */
const animatorFile = () =>
  Buffer.concat([
    pack("ihhhhhhi", 144, 0xaf12, 1, 64, 36, 8, 3, 70),
    Buffer.alloc(108),
    pack("ihhii", 16, 0xf1fa, 0, 0, 0),
  ]);

/** An FLV whose last packet of sound says that it has another codec: two sounds, where one is allowed. */
function twoSounds(bytes: Buffer): Buffer {
  let last = 0;
  // A tag: its type, its size in 3 bytes, 7 bytes of time, data, and its whole size in 4 bytes.
  for (let at = 13; at + 15 < bytes.length; at += 15 + bytes.readUIntBE(at + 1, 3)) {
    if (bytes[at] === 8) last = at;
  }
  bytes[last + 11] = 0x7e; // A-law in the upper half; it was MP3
  return bytes;
}

/** Operations that write an FLV again as one, with all of its sounds. */
const written = ["pipeline/strip-metadata", "video/framerate", "audio/normalize"];

/** A film of 60 streams: pictures, four sounds and subtitles. */
function manyStreams(): string {
  const lines = join(videoFolder(), "line.srt");
  writeFileSync(lines, "1\n00:00:00,100 --> 00:00:00,300\nHello\n\n");
  const maps = (count: number, input: string) =>
    Array.from({ length: count }, () => ["-map", input]).flat();
  const inputs = [...picture("size=64x36:rate=10:duration=0.4"), ...tone(0.4), "-i", lines];
  const streams = ["-map", "0", ...maps(4, "1"), ...maps(55, "2")];
  return makeVideo("mkv", ...inputs, ...streams, ...h264, "-c:a", "aac", "-c:s", "srt");
}

export const badFilms: readonly BadInput[] = [
  row(["corrupt", "unsupported_type"])("noise", "mp4", () =>
    Buffer.from("\u0001\u00ffnot a film".repeat(500), "latin1"),
  ),
  corrupt(
    "an MP4 without its index",
    "mp4",
    patch(film, (bytes) => bytes.subarray(0, bytes.lastIndexOf("moov") - 4)),
  ),
  corrupt(
    "an MP4 without a single frame",
    "mp4",
    patch(indexFirst, (bytes) => bytes.subarray(0, bytes.indexOf("mdat") + 4)),
  ),
  // Of which ffprobe says no more than that it has failed.
  corrupt(
    "an Ogg film with a byte of its header turned over",
    "ogv",
    patch(
      () => makeVideo("ogv", ...small, ...tone(1), "-c:v", "libtheora", "-c:a", "libvorbis"),
      (bytes) => {
        const at = bytes.indexOf("\x82theora", 0, "latin1") + 100;
        bytes[at] = 0xff - (bytes[at] ?? 0);
        return bytes;
      },
    ),
  ),
  unsupported("MagicYUV", "avi", () => makeVideo("avi", ...small, "-c:v", "magicyuv"), silent),
  unsupported(
    "FLIC",
    "avi",
    patch(
      () => makeVideo("avi", ...small, "-c:v", "mjpeg"),
      (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("MJPG", "AFLC"), "latin1"),
    ),
    silent,
  ),
  row(["corrupt", "unsupported_type"])("an Animator file", "mov", animatorFile),
  row(["encrypted"])(
    "encrypted",
    "mp4",
    () =>
      copy(
        ...["mp4", "-encryption_scheme", "cenc-aes-ctr"],
        ...["-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"],
        ...["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8"],
      ),
    { except: { "pipeline/strip-metadata": ["completes", "encrypted"] } },
  ),
  unsupported("sound alone", "mp4", () => copy("mp4", "-vn"), fineSound),
  unsupported(
    "a cover as the only picture",
    "mp4",
    () => {
      const cover = makeVideo("png", ...small, "-frames:v", "1");
      const maps = ["-map", "0:a", "-map", "1", "-disposition:v:0", "attached_pic"];
      return makeVideo("mp4", "-i", film(), "-i", cover, ...maps, "-c", "copy");
    },
    fineSound,
  ),
  tooComplex("70 streams", "mp4", () => {
    const maps = Array.from({ length: 70 }, () => ["-map", "0"]).flat();
    return makeVideo("mp4", ...tone(0.1), ...maps, "-c:a", "aac");
  }),
  tooComplex(
    "frames of 16384×16384",
    "avi",
    patch(
      () => makeVideo("avi", ...small, "-c:v", "rawvideo", "-pix_fmt", "yuv420p"),
      (bytes) => {
        const at = bytes.indexOf("strf");
        bytes.writeUInt32LE(16_384, at + 12);
        bytes.writeUInt32LE(16_384, at + 16);
        return bytes;
      },
    ),
    { mostBytes: 1.5 * 2 ** 30 },
  ),
  tooComplex("10,000 frames a second", "mp4", () =>
    makeVideo("mp4", ...picture("size=64x36:rate=10000:duration=0.02"), ...h264),
  ),
  fine(
    "a film of a hundredth of a second",
    "mkv",
    () => makeVideo("mkv", ...picture("size=64x36:rate=100:duration=0.01"), ...h264),
    silent,
  ),
  fine(
    "a film that breaks off",
    "mp4",
    patch(indexFirst, (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.7))),
  ),
  fine(
    "an FLV of two sounds",
    "flv",
    patch(() => makeVideo("flv", ...small, ...tone(1), "-c:v", "flv", "-ar", "44100"), twoSounds),
    { except: Object.fromEntries(written.map((id) => [id, ["unsupported_type"]])) },
  ),
  fine("an index at the end", "mp4", film),
  fine("fragments", "mp4", () =>
    copy("mp4", "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "300000"),
  ),
  fine(
    "a header that says 100 hours",
    "mp4",
    patch(film, (bytes) => {
      // Version 0 boxes: the duration is 20 bytes after the name in mvhd and mdhd, 24 in tkhd.
      const moved = setInBoxes(setInBoxes(bytes, "mvhd", 20, 36e7), "tkhd", 24, 36e7);
      return setInBoxes(moved, "mdhd", 20, 4e9);
    }),
  ),
  fine("a Matroska stream without a duration", "mkv", () => copy("mkv", "-live", "1")),
  fine("60 streams", "mkv", manyStreams),
  fine(
    "an odd size",
    "mkv",
    () => makeVideo("mkv", ...picture("size=333x77:rate=10:duration=0.5"), "-c:v", "ffv1"),
    silent,
  ),
  fine(
    "1000 frames a second",
    "mkv",
    () => makeVideo("mkv", ...picture("size=64x36:rate=1000:duration=0.2"), ...h264),
    silent,
  ),
  fine(
    "varying frame times",
    "mkv",
    () => {
      const rare = ["-vf", "select='not(mod(n,3))+not(mod(n,4))'", "-fps_mode", "vfr"];
      return makeVideo("mkv", ...small, ...rare, ...h264);
    },
    silent,
  ),
  fine("negative times", "mp4", () =>
    makeVideo(
      ...["mp4", "-itsoffset", "-0.5", "-i", film()],
      ...["-c", "copy", "-avoid_negative_ts", "disabled"],
    ),
  ),
  fine(
    "frames that change size",
    "mpegts",
    () => {
      const parts = ["96x54", "160x120"].map((size) =>
        readFileSync(makeVideo("ts", ...picture(`size=${size}:rate=10:duration=1`), ...h264)),
      );
      return Buffer.concat(parts);
    },
    silent,
  ),
  fine("no sound", "mp4", () => makeVideo("mp4", ...small, ...h264), silent),
  fine(
    "damage in the middle",
    "mpegts",
    patch(
      () => makeVideo("ts", ...small, ...tone(1), ...h264, "-c:a", "mp2"),
      (bytes) => bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 4000),
    ),
  ),
];
