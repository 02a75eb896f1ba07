import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JobErrorCode } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { film, h264, makeVideo, picture, tone, videoFolder } from "./videos.ts";

/** Films that are broken, odd or made to harm: how each is built, and what becomes of it. */
export interface BadMedia {
  readonly id: string;
  readonly type: MediaTypeId;
  readonly build: () => string;
  /** The codes that a job may fail with; absent where it must succeed. */
  readonly fails?: readonly JobErrorCode[];
}

const refused = ["unsupported_type", "corrupt"] as const;
const small = picture("size=96x54:rate=10:duration=1");

/** A playlist in a file called `name` that points at a film beside it. */
function playlist(name: string, write: (secret: string) => string): () => string {
  return () => {
    const path = join(videoFolder(), `${name}.mp4`);
    writeFileSync(path, write(makeVideo("ts", ...small, ...h264)));
    return path;
  };
}

/** A copy of the file at `source` after `change`. */
function patch(
  name: string,
  source: () => string,
  change: (bytes: Buffer) => Buffer,
): () => string {
  return () => {
    const path = join(videoFolder(), name);
    writeFileSync(path, change(Buffer.from(readFileSync(source()))));
    return path;
  };
}

function replaceAll(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1");
}

/** Writes `value` as 32 bits, big-endian, `offset` bytes after each `name` of a box. */
function setInBoxes(bytes: Buffer, name: string, offset: number, value: number): Buffer {
  for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + 4)) {
    bytes.writeUInt32BE(value, at + offset);
  }
  return bytes;
}

const indexFirst = () => makeVideo("mp4", "-i", film(), "-c", "copy", "-movflags", "+faststart");

export const badMedia: readonly BadMedia[] = [
  {
    id: "an HLS playlist",
    type: "mp4",
    build: playlist(
      "hls",
      (secret) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:${secret}\n#EXT-X-ENDLIST\n`,
    ),
    fails: refused,
  },
  {
    id: "a DASH manifest",
    type: "mp4",
    build: playlist(
      "dash",
      (secret) =>
        `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ` +
        `mediaPresentationDuration="PT1S"><Period><AdaptationSet><Representation id="0" ` +
        `mimeType="video/mp4"><BaseURL>file:${secret}</BaseURL></Representation>` +
        `</AdaptationSet></Period></MPD>`,
    ),
    fails: refused,
  },
  {
    id: "an ffconcat list",
    type: "mp4",
    build: playlist("concat", (secret) => `ffconcat version 1.0\nfile '${secret}'\n`),
    fails: refused,
  },
  {
    id: "an SDP description",
    type: "mp4",
    build: playlist(
      "sdp",
      () =>
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n",
    ),
    fails: refused,
  },
  {
    id: "noise",
    type: "mp4",
    build: playlist("noise", () => "\u0001\u00ffnot a film".repeat(500)),
    fails: refused,
  },
  {
    id: "an MP4 without its index",
    type: "mp4",
    build: patch("no-moov.mp4", film, (bytes) => bytes.subarray(0, bytes.lastIndexOf("moov") - 4)),
    fails: ["corrupt"],
  },
  {
    id: "an MP4 without a single frame",
    type: "mp4",
    build: patch("no-frames.mp4", indexFirst, (bytes) =>
      bytes.subarray(0, bytes.indexOf("mdat") + 4),
    ),
    fails: ["corrupt"],
  },
  {
    id: "MagicYUV",
    type: "avi",
    build: () => makeVideo("avi", ...small, "-c:v", "magicyuv"),
    fails: ["unsupported_type"],
  },
  {
    id: "FLIC",
    type: "avi",
    build: patch(
      "flic.avi",
      () => makeVideo("avi", ...small, "-c:v", "mjpeg"),
      (bytes) => replaceAll(bytes, "MJPG", "AFLC"),
    ),
    fails: ["unsupported_type"],
  },
  {
    id: "encrypted",
    type: "mp4",
    build: () =>
      makeVideo(
        "mp4",
        ...["-i", film(), "-c", "copy", "-encryption_scheme", "cenc-aes-ctr"],
        ...["-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"],
        ...["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8"],
      ),
    fails: ["encrypted"],
  },
  {
    id: "sound alone",
    type: "m4a",
    build: () => makeVideo("m4a", ...tone(1), "-c:a", "aac"),
    fails: ["unsupported_type"],
  },
  {
    id: "sound with a cover picture",
    type: "mp3",
    build: () =>
      makeVideo(
        "mp3",
        ...[
          ...tone(1),
          "-i",
          makeVideo("png", ...small, "-frames:v", "1"),
          "-map",
          "0",
          "-map",
          "1",
        ],
        ...["-c:a", "libmp3lame", "-c:v", "copy", "-disposition:v", "attached_pic"],
      ),
    fails: ["unsupported_type"],
  },
  {
    id: "70 streams",
    type: "mp4",
    build: () => {
      const maps = Array.from({ length: 70 }, () => ["-map", "0"]).flat();
      return makeVideo("mp4", ...tone(0.1), ...maps, "-c:a", "aac");
    },
    fails: ["too_complex"],
  },
  {
    id: "frames of 16384×16384",
    type: "avi",
    build: patch(
      "huge.avi",
      () => makeVideo("avi", ...small, "-c:v", "rawvideo", "-pix_fmt", "yuv420p"),
      (bytes) => {
        const at = bytes.indexOf("strf");
        bytes.writeUInt32LE(16_384, at + 12);
        bytes.writeUInt32LE(16_384, at + 16);
        return bytes;
      },
    ),
    fails: ["too_complex"],
  },
  {
    id: "a film that breaks off",
    type: "mp4",
    build: patch("broken-off.mp4", indexFirst, (bytes) =>
      bytes.subarray(0, Math.floor(bytes.length * 0.7)),
    ),
  },
  { id: "an index at the end", type: "mp4", build: film },
  {
    id: "fragments",
    type: "mp4",
    build: () =>
      makeVideo(
        "mp4",
        "-i",
        film(),
        "-c",
        "copy",
        "-movflags",
        "frag_keyframe+empty_moov",
        "-frag_duration",
        "300000",
      ),
  },
  {
    id: "a header that says 100 hours",
    type: "mp4",
    build: patch("long.mp4", film, (bytes) => {
      // Version 0 boxes: the duration is 20 bytes after the name in mvhd and mdhd, 24 in tkhd.
      setInBoxes(bytes, "mvhd", 20, 360_000_000);
      setInBoxes(bytes, "tkhd", 24, 360_000_000);
      return setInBoxes(bytes, "mdhd", 20, 4_000_000_000);
    }),
  },
  {
    id: "a Matroska stream without a duration",
    type: "mkv",
    build: () => makeVideo("mkv", "-i", film(), "-c", "copy", "-live", "1"),
  },
  {
    id: "60 streams",
    type: "mkv",
    build: () => {
      const maps = Array.from({ length: 59 }, () => ["-map", "1"]).flat();
      return makeVideo("mkv", ...small, ...tone(0.2), "-map", "0", ...maps, ...h264, "-c:a", "aac");
    },
  },
  {
    id: "an odd size",
    type: "mkv",
    build: () =>
      makeVideo("mkv", ...picture("size=333x77:rate=10:duration=1", "testsrc"), "-c:v", "ffv1"),
  },
  {
    id: "1000 frames a second",
    type: "mkv",
    build: () => makeVideo("mkv", ...picture("size=64x36:rate=1000:duration=0.2"), ...h264),
  },
  {
    id: "varying frame times",
    type: "mkv",
    build: () =>
      makeVideo(
        "mkv",
        ...small,
        "-vf",
        "select='not(mod(n,3))+not(mod(n,4))'",
        "-fps_mode",
        "vfr",
        ...h264,
      ),
  },
  {
    id: "negative times",
    type: "mkv",
    build: () =>
      makeVideo(
        "mp4",
        ...["-itsoffset", "-0.5", "-i", film(), "-c", "copy", "-avoid_negative_ts", "disabled"],
      ),
  },
  {
    id: "frames that change size",
    type: "mpegts",
    build: () => {
      const parts = ["96x54", "160x120"].map((size) =>
        readFileSync(makeVideo("ts", ...picture(`size=${size}:rate=10:duration=1`), ...h264)),
      );
      const path = join(videoFolder(), "sizes.ts");
      writeFileSync(path, Buffer.concat(parts));
      return path;
    },
  },
  { id: "no sound", type: "mp4", build: () => makeVideo("mp4", ...small, ...h264) },
  {
    id: "damage in the middle",
    type: "mpegts",
    build: patch(
      "damaged.ts",
      () => makeVideo("ts", ...picture(), ...tone(), ...h264, "-c:a", "mp2"),
      (bytes) => bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 4000),
    ),
  },
];
