import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { fade } from "#lib/operations/video/fade/index.ts";
import {
  ffmpeg,
  ffprobe,
  frameTimes,
  h264,
  makeVideo,
  streamsOf,
  testPattern,
  tone,
  videoWithText,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function apply(path: string, params: Record<string, unknown>, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(fade, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

const white = (...options: string[]) =>
  makeVideo(
    "mp4",
    ...[...testPattern("color=white:size=64x36:rate=25:duration=4", "color"), ...tone(4)],
    ...[...h264, "-c:a", "aac", ...options],
  );

/** The brightness of every frame, 0 to 1. */
function brightness(path: string): number[] {
  const gray = ["-vf", "scale=1:1:flags=area,format=gray", "-f", "rawvideo", "-"];
  return [...ffmpeg("-i", path, "-map", "0:v", ...gray)].map((value) => value / 255);
}

/** The peak of the audio from `at` for 20 ms, against that of the middle. */
function loudness(path: string, at: number): number {
  const bytes = ffmpeg("-i", path, "-map", "0:a", "-ac", "1", "-ar", "48000", "-f", "f32le", "-");
  const samples = new Float32Array(new Uint8Array(bytes).buffer);
  const peak = (from: number) => Math.max(...samples.slice(from, from + 960).map(Math.abs));
  return peak(Math.round(at * 48_000)) / peak(2 * 48_000);
}

const fromFirst = (times: number[]) =>
  times.map((time) => Math.round((time - (times[0] ?? 0)) * 1000));

describe("video and audio", () => {
  it("fade in and out for the given time", async () => {
    const { path } = await apply(white(), { in: 1, out: "00:00:02" });
    const levels = brightness(path);
    expect(levels).toHaveLength(100);
    for (const [frame, expected] of [
      [0, 0],
      [12, 0.48],
      [26, 1],
      [49, 1],
      [75, 0.5],
      [99, 0.02],
    ] as const) {
      expect(Math.abs((levels[frame] ?? 2) - expected)).toBeLessThan(0.04);
    }
    for (const [at, expected] of [
      [0, 0.02],
      [0.5, 0.51],
      [1.5, 1],
      [3, 0.5],
      [3.9, 0.05],
    ] as const) {
      expect(Math.abs(loudness(path, at) - expected)).toBeLessThan(0.06);
    }
  });

  it.each([
    [{ in: 0, out: 1 }, 0, 1, 0.04],
    [{ in: 1, out: 0 }, 99, 0, 1],
  ])("do not fade where it is 0: %j", async (params, bright, first, last) => {
    const levels = brightness((await apply(white(), params)).path);
    expect(levels[bright]).toBeGreaterThan(0.98);
    expect(levels[0]).toBeCloseTo(first, 1);
    expect(levels.at(-1)).toBeCloseTo(last, 1);
  });

  it("fade for at most the whole video", async () => {
    const levels = brightness((await apply(white("-t", "1"), { in: 0, out: 60 })).path);
    expect(levels[0]).toBeGreaterThan(0.95);
    expect(levels[12]).toBeCloseTo(0.5, 1);
  });
});

it("keeps the times of frames, codecs, subtitles, chapters and the rotation tag", async () => {
  const output = await apply(videoWithText(), {}, "mkv");
  // Matroska starts at the first audio packet, which the encoder puts before the audio.
  expect(fromFirst(frameTimes(output.path))).toEqual(fromFirst(frameTimes(videoWithText())));
  expect(streamsOf(output.path, "subtitle")).toHaveLength(1);
  expect(ffprobe(output.path).chapters).toHaveLength(2);
  const turned = makeVideo(
    "mp4",
    "-i",
    white("-t", "0.5"),
    "-c",
    "copy",
    "-metadata:s:v",
    "rotate=90",
  );
  const upright = await apply(turned, {});
  expect(upright).toMatchObject({ width: 36, height: 64 });
  expect(streamsOf(upright.path, "video")[0]?.side_data_list).toHaveLength(1);
});

it("keeps 10 bits, color tags, irregular times and a missing audio track", async () => {
  const tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"];
  const gaps = ["-vf", "select='lt(n,5)+gt(n,20)'", "-fps_mode", "vfr"];
  const x265 = ["-c:v", "libx265", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p10le"];
  const path = makeVideo(
    "mp4",
    ...testPattern("size=96x54:rate=25:duration=1"),
    ...gaps,
    ...x265,
    ...tags,
  );
  const output = await apply(path, { in: 0.4, out: 0 });
  expect(streamsOf(output.path, "video")[0]).toMatchObject({
    pix_fmt: "yuv420p10le",
    color_transfer: "smpte2084",
  });
  expect(frameTimes(output.path)).toEqual(frameTimes(path));
});

it.each([{ in: 0, out: 0 }, { in: -1 }, { out: "soon" }])("%j is rejected", (params) => {
  expect(fade.params.safeParse(params).success).toBe(false);
});
