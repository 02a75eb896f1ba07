import { describe, expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { compress } from "#lib/operations/video/compress/index.ts";
import { transcode } from "#lib/operations/video/transcode/index.ts";
import { countCombs, interlacedVideo } from "#tests/samples/images/interlaced.ts";
import {
  frameAt,
  frameTimes,
  h264,
  makeVideo,
  pixelAt,
  ssim,
  streamsOf,
  testPattern,
} from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

/** What becomes of each kind of unusual video in an MP4 that plays everywhere. */

const sample = (type: MediaTypeId, ...args: string[]): Sample => ({
  path: makeVideo(type, ...args),
  type,
});

const pattern = testPattern("size=96x54:rate=10:duration=0.4");

const x265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error"];

/** The size of the frames as they are shown. */
const shownSize = (path: string) => {
  const { width, height } = frameAt(path);
  return [width, height];
};

const expectSimilar = (source: string, output: string) =>
  expect(ssim(source, output)).toBeGreaterThan(0.95);

type Check = (output: string, source: string) => void;

const rows: readonly (readonly [string, () => Sample, Check])[] = [
  [
    "10 bits become 8",
    () => sample("mkv", ...pattern, ...x265, "-pix_fmt", "yuv420p10le"),
    (output, source) => {
      expect(streamsOf(output, "video")[0]).toMatchObject({ pix_fmt: "yuv420p" });
      expectSimilar(source, output);
    },
  ],
  [
    "HDR is mapped to SDR",
    () =>
      sample(
        "mkv",
        // A red whose values mean a darker one in SDR.
        ...testPattern("c=0x992200:size=96x54:rate=10:duration=0.4", "color"),
        ...x265,
        "-pix_fmt",
        "yuv420p10le",
        "-color_trc",
        "smpte2084",
        "-color_primaries",
        "bt2020",
        "-colorspace",
        "bt2020nc",
      ),
    (output) => {
      const [stream] = streamsOf(output, "video");
      expect(stream).toMatchObject({ pix_fmt: "yuv420p", color_transfer: "bt709" });
      const [red, green, blue] = pixelAt(frameAt(output), 40, 20);
      // Of 255. The value in the file is 153, which means 245 cd/m².
      expect(red).toBeGreaterThan(190);
      expect(Math.max(green, blue)).toBeLessThan(30);
    },
  ],
  [
    "a varying frame rate is kept",
    () =>
      sample(
        "mkv",
        ...testPattern("size=96x54:rate=25:duration=1"),
        "-vf",
        "select='lt(n,5)+gt(n,20)'",
        "-fps_mode",
        "vfr",
        ...h264,
      ),
    (output, source) => {
      const found = frameTimes(output);
      const wanted = frameTimes(source);
      expect(found).toHaveLength(wanted.length);
      for (const [index, time] of found.entries()) expect(time).toBeCloseTo(wanted[index] ?? -1, 2);
    },
  ],
  [
    "a rotated video is upright",
    () => {
      const flat = makeVideo("mp4", ...pattern, ...h264);
      return sample("mp4", "-i", flat, "-c", "copy", "-metadata:s:v", "rotate=90");
    },
    (output, source) => {
      expect(shownSize(output)).toEqual([54, 96]);
      expect(shownSize(output)).toEqual(shownSize(source));
      expectSimilar(source, output);
    },
  ],
  [
    "an interlaced video has no combs",
    interlacedVideo,
    (output, source) => {
      expect(countCombs(frameAt(source, 0.08))).toBeGreaterThan(200);
      expect(countCombs(frameAt(output, 0.08))).toBeLessThan(20);
      expect(streamsOf(output, "video")[0]?.field_order).toBe("progressive");
    },
  ],
  [
    "odd sides become even",
    () => sample("mkv", ...testPattern("size=97x55:rate=10:duration=0.4"), "-c:v", "ffv1"),
    (output, source) => {
      const [width = 0, height = 0] = shownSize(output);
      expect([width % 2, height % 2]).toEqual([0, 0]);
      expect(Math.max(Math.abs(width - 97), Math.abs(height - 55))).toBe(1);
      const scaled = ["-vf", `scale=${width}:${height}`, "-c:v", "ffv1"];
      expectSimilar(makeVideo("mkv", "-i", source, ...scaled), output);
    },
  ],
  [
    "a transparent video is on black",
    () =>
      sample(
        "mkv",
        ...testPattern("c=0x20c060@0.5:size=96x54:rate=10:duration=0.4,format=yuva444p", "color"),
        "-c:v",
        "ffv1",
        "-colorspace",
        "bt709",
        "-color_primaries",
        "bt709",
        "-color_trc",
        "bt709",
        "-color_range",
        "tv",
      ),
    (output, source) => {
      expect(streamsOf(output, "video")[0]).toMatchObject({
        pix_fmt: "yuv420p",
        color_space: "bt709",
      });
      const opaque = pixelAt(frameAt(source), 40, 20);
      for (const [index, value] of pixelAt(frameAt(output), 40, 20).entries()) {
        expect(Math.abs(value - (opaque[index] ?? 0) / 2)).toBeLessThan(6);
      }
    },
  ],
];

describe.each([
  [transcode, { preset: "ultrafast" }],
  [compress, { quality: "high" }],
] as const)("$id", (operation, params) => {
  test.each(rows)("%s", async (_, make, check) => {
    const source = make();
    const { outputs } = await runOperation(operation, source, params);
    const path = outputs[0]?.path ?? "";
    expect(streamsOf(path, "video")[0]?.codec_name).toBe("h264");
    check(path, source.path);
  });
});
