import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MediaTypeId } from "#lib/media/types.ts";
import { packNumbers, setInBoxes } from "#tests/samples/container-bytes.ts";
import { h264, makeVideo, testPattern, tone, videoFolder } from "#tests/samples/videos.ts";
import type { BadInput } from "../bad-input.ts";

/** Bad inputs: damaged, unusual and malicious videos. */

const small = testPattern("size=64x36:rate=10:duration=1");

/** One second, 64×36, 10 frames/s, H.264 and AAC. Its index is at the end. */
const smallVideoFile = () => makeVideo("mp4", ...small, ...tone(1), ...h264, "-c:a", "aac");
const copy = (extension: string, ...options: string[]) =>
  makeVideo(extension, "-i", smallVideoFile(), "-c", "copy", ...options);
const indexFirst = () => copy("mp4", "-movflags", "+faststart");

/** The bytes of the file `source()` after `change`. */
const patch =
  (source: () => string, change: (bytes: Buffer) => Buffer): (() => Buffer) =>
  () =>
    change(Buffer.from(readFileSync(source())));

const row =
  (expected: BadInput["expected"]) =>
  (
    id: string,
    type: MediaTypeId,
    build: () => string | Buffer,
    more: Partial<BadInput> = {},
  ): BadInput => ({ id, type, build, expected, ...more });

const corrupt = row(["corrupt"]);
const tooComplex = row(["too_complex"]);
const unsupported = row(["unsupported_type"]);
const fine = row(["completes"]);

/** What operations report for files without audio. */
const audioUnsupported = {
  expectedFor: { audio: ["unsupported_type"], "video/volume": ["unsupported_type"] },
} as const;
const audioCompletes = {
  expectedFor: { audio: ["completes"], "pipeline/thumbnail": ["completes"] },
} as const;

/** An Autodesk Animator file: a header with 64×36 pixels of 8 bits, and one empty frame. */
const animatorFile = () =>
  Buffer.concat([
    packNumbers("ihhhhhhi", 144, 0xaf12, 1, 64, 36, 8, 3, 70),
    Buffer.alloc(108),
    packNumbers("ihhii", 16, 0xf1fa, 0, 0, 0),
  ]);

/** An FLV whose last audio packet declares another codec: two audio streams, where FLV allows one. */
function addSecondAudioCodec(bytes: Buffer): Buffer {
  let last = 0;
  // A tag: type, 3 bytes of data size, 7 bytes of timestamp and stream id, data, 4 bytes of tag size.
  for (let at = 13; at + 15 < bytes.length; at += 15 + bytes.readUIntBE(at + 1, 3)) {
    if (bytes[at] === 8) last = at;
  }
  bytes[last + 11] = 0x7e; // A-law in the upper 4 bits, instead of MP3
  return bytes;
}

/** Operations that write an FLV as an FLV with all audio streams. */
const flvWriters = [
  "pipeline/strip-metadata",
  "video/framerate",
  "audio/normalize",
  "audio/volume",
  "audio/fade",
  "audio/denoise",
  "video/aspect-ratio",
  "video/crop",
  "video/fade",
  "video/flip",
  "video/loop",
  "video/resize",
  "video/reverse",
  "video/rotate",
  "video/speed",
  "video/stabilize",
  "video/trim",
  "video/volume",
];

/** A video with 60 streams: one video, four audio, 55 subtitle streams. */
function manyStreams(): string {
  const lines = join(videoFolder(), "line.srt");
  writeFileSync(lines, "1\n00:00:00,100 --> 00:00:00,300\nHello\n\n");
  const maps = (count: number, input: string) =>
    Array.from({ length: count }, () => ["-map", input]).flat();
  const inputs = [...testPattern("size=64x36:rate=10:duration=0.4"), ...tone(0.4), "-i", lines];
  const streams = ["-map", "0", ...maps(4, "1"), ...maps(55, "2")];
  return makeVideo("mkv", ...inputs, ...streams, ...h264, "-c:a", "aac", "-c:s", "srt");
}

export const badVideos: readonly BadInput[] = [
  row(["corrupt", "unsupported_type"])("noise", "mp4", () =>
    Buffer.from("\u0001\u00ffnot a video".repeat(500), "latin1"),
  ),
  corrupt(
    "an MP4 without its index",
    "mp4",
    patch(smallVideoFile, (bytes) => bytes.subarray(0, bytes.lastIndexOf("moov") - 4)),
  ),
  corrupt(
    "an MP4 without any frame",
    "mp4",
    patch(indexFirst, (bytes) => bytes.subarray(0, bytes.indexOf("mdat") + 4)),
  ),
  // ffprobe reports only that it failed.
  corrupt(
    "an Ogg video with an inverted byte in its header",
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
  unsupported(
    "MagicYUV",
    "avi",
    () => makeVideo("avi", ...small, "-c:v", "magicyuv"),
    audioUnsupported,
  ),
  unsupported(
    "FLIC",
    "avi",
    patch(
      () => makeVideo("avi", ...small, "-c:v", "mjpeg"),
      (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("MJPG", "AFLC"), "latin1"),
    ),
    audioUnsupported,
  ),
  row(["corrupt", "unsupported_type"])("an Animator file", "mov", animatorFile),
  row(["encrypted"])(
    "encrypted",
    "mp4",
    () =>
      copy(
        "mp4",
        "-encryption_scheme",
        "cenc-aes-ctr",
        "-encryption_key",
        "76a6c65c5ea762046bd749a2e632ccbb",
        "-encryption_kid",
        "a7e61c373e219033c21091fa607bf3b8",
      ),
    { expectedFor: { "pipeline/strip-metadata": ["completes", "encrypted"] } },
  ),
  unsupported("a video with only audio", "mp4", () => copy("mp4", "-vn"), audioCompletes),
  unsupported(
    "cover art as the only video stream",
    "mp4",
    () => {
      const cover = makeVideo("png", ...small, "-frames:v", "1");
      const maps = ["-map", "0:a", "-map", "1", "-disposition:v:0", "attached_pic"];
      return makeVideo("mp4", "-i", smallVideoFile(), "-i", cover, ...maps, "-c", "copy");
    },
    audioCompletes,
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
    { maxEngineBytes: 1.5 * 2 ** 30 },
  ),
  tooComplex("10,000 frames per second", "mp4", () =>
    makeVideo("mp4", ...testPattern("size=64x36:rate=10000:duration=0.02"), ...h264),
  ),
  fine(
    "a video of a hundredth of a second",
    "mkv",
    () => makeVideo("mkv", ...testPattern("size=64x36:rate=100:duration=0.01"), ...h264),
    audioUnsupported,
  ),
  fine(
    "a truncated video",
    "mp4",
    patch(indexFirst, (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.7))),
  ),
  fine(
    "an FLV with two audio streams",
    "flv",
    patch(
      () => makeVideo("flv", ...small, ...tone(1), "-c:v", "flv", "-ar", "44100"),
      addSecondAudioCodec,
    ),
    { expectedFor: Object.fromEntries(flvWriters.map((id) => [id, ["unsupported_type"]])) },
  ),
  fine("an index at the end", "mp4", smallVideoFile),
  fine("fragments", "mp4", () =>
    copy("mp4", "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "300000"),
  ),
  fine(
    "a header that declares 100 hours",
    "mp4",
    patch(smallVideoFile, (bytes) => {
      // Version 0 boxes: the duration is 20 bytes after the name in mvhd and mdhd, 24 in tkhd.
      const changed = setInBoxes(setInBoxes(bytes, "mvhd", 20, 36e7), "tkhd", 24, 36e7);
      return setInBoxes(changed, "mdhd", 20, 4e9);
    }),
  ),
  fine("a Matroska stream without a duration", "mkv", () => copy("mkv", "-live", "1")),
  fine("60 streams", "mkv", manyStreams),
  fine(
    "an odd size",
    "mkv",
    () => makeVideo("mkv", ...testPattern("size=333x77:rate=10:duration=0.5"), "-c:v", "ffv1"),
    audioUnsupported,
  ),
  fine(
    "1000 frames per second",
    "mkv",
    () => makeVideo("mkv", ...testPattern("size=64x36:rate=1000:duration=0.2"), ...h264),
    audioUnsupported,
  ),
  fine(
    "a variable frame rate",
    "mkv",
    () => {
      const variable = ["-vf", "select='not(mod(n,3))+not(mod(n,4))'", "-fps_mode", "vfr"];
      return makeVideo("mkv", ...small, ...variable, ...h264);
    },
    audioUnsupported,
  ),
  fine("negative timestamps", "mp4", () =>
    makeVideo(
      "mp4",
      "-itsoffset",
      "-0.5",
      "-i",
      smallVideoFile(),
      "-c",
      "copy",
      "-avoid_negative_ts",
      "disabled",
    ),
  ),
  fine(
    "frames that change size",
    "mpegts",
    () => {
      const parts = ["96x54", "160x120"].map((size) =>
        readFileSync(makeVideo("ts", ...testPattern(`size=${size}:rate=10:duration=1`), ...h264)),
      );
      return Buffer.concat(parts);
    },
    audioUnsupported,
  ),
  fine("a video without audio", "mp4", () => makeVideo("mp4", ...small, ...h264), audioUnsupported),
  fine(
    "damage in the middle",
    "mpegts",
    patch(
      () => makeVideo("ts", ...small, ...tone(1), ...h264, "-c:a", "mp2"),
      (bytes) => bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 4000),
    ),
  ),
];
