import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { fade } from "#lib/operations/video/fade/index.ts";
import { partsOf, richVideo } from "#tests/samples/rich-video.ts";
import { ffmpeg, h264, makeVideo, testPattern, tone } from "#tests/samples/videos.ts";
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
    ...testPattern("color=white:size=64x36:rate=25:duration=4", "color"),
    ...tone(4),
    ...h264,
    "-c:a",
    "aac",
    ...options,
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

const _fromFirst = (times: number[]) =>
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

  it("fade for at most the whole video, also without audio", async () => {
    const levels = brightness((await apply(white("-t", "1", "-an"), { in: 0, out: 60 })).path);
    expect(levels[0]).toBeGreaterThan(0.95);
    expect(levels[12]).toBeCloseTo(0.5, 1);
  });
});

it("keeps everything else", async () => {
  const output = await apply(richVideo("smpte2084"), { in: 0.4, out: 0 });
  expect(partsOf(output.path)).toEqual(partsOf(richVideo("smpte2084")));
  expect(output).toMatchObject({ width: 36, height: 64 });
});

it.each([{ in: 0, out: 0 }, { in: -1 }, { out: "soon" }])("%j is rejected", (params) => {
  expect(fade.params.safeParse(params).success).toBe(false);
});
