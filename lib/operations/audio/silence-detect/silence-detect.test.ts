import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { silenceDetect } from "#lib/operations/audio/silence-detect/index.ts";
import { makeAudio } from "#tests/samples/audio.ts";
import { makeVideo, makeVideoWithGap } from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

interface SilenceResult {
  readonly duration: number;
  readonly silent_seconds: number;
  readonly silences: { start: number; end: number; duration: number }[];
}

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(silenceDetect, sample, params);
  expect(JSON.parse(await readFile(outputs[0]?.path ?? "", "utf8"))).toEqual(result);
  // The tests check the shape of the result.
  return result as unknown as SilenceResult;
}

/** A tone that is silent in the given seconds. */
function pausedTone(level: number, ...pauses: [number, number][]): string {
  const inPause = pauses.map(([from, to]) => `between(t,${from},${to})`).join("+");
  return `aevalsrc='if(${inPause},${level}*sin(2*PI*440*t),0.4*sin(2*PI*440*t))':s=44100`;
}

test.each(["wav", "flac", "m4a", "mp3"] as const)("the pauses of a %s are found", async (type) => {
  const source = pausedTone(0, [0.5, 1.2], [1.5, 1.8], [2.4, 3]);
  const { silences, duration, silent_seconds } = await run(
    makeAudio(type, { source, duration: 3 }),
  );
  expect(silences).toHaveLength(2);
  const expected = [
    [0.5, 1.2],
    [2.4, 3],
  ];
  for (const [index, [start = 0, end = 0]] of expected.entries()) {
    expect(Math.abs((silences[index]?.start ?? 0) - start)).toBeLessThan(0.03);
    expect(Math.abs((silences[index]?.end ?? 0) - end)).toBeLessThan(0.03);
  }
  expect(duration).toBeCloseTo(3, 1);
  expect(silent_seconds).toBeCloseTo(1.3, 1);
});

test("times after a quarter of an hour are exact", async () => {
  const source = pausedTone(0, [1000.1234, 1001.5]).replace("44100", "2000");
  const sample = makeAudio("wav", { source, duration: 1003, sampleRate: 2000 });
  const { silences } = await run(sample);
  expect(silences).toHaveLength(1);
  expect(Math.abs((silences[0]?.start ?? 0) - 1000.1234)).toBeLessThan(0.011);
  expect(Math.abs((silences[0]?.end ?? 0) - 1001.5)).toBeLessThan(0.011);
});

describe("parameters", () => {
  const sample = makeAudio("wav", { source: pausedTone(0.005, [0.5, 0.9]), duration: 1.3 });

  test.each([
    // −46 dB.
    [{ duration: 0.3 }, 0],
    [{ duration: 0.3, threshold: -40 }, 1],
    [{ duration: 0.45, threshold: -40 }, 0],
  ])("%j finds %i silences", async (params, count) => {
    expect((await run(sample, params)).silences).toHaveLength(count);
  });

  test.each([
    [{ threshold: 1 }],
    [{ threshold: -121 }],
    [{ duration: 0.01 }],
    [{ duration: 3601 }],
  ])("%j is rejected", (params) => {
    expect(silenceDetect.params.safeParse(params).success).toBe(false);
  });
});

test("a channel that is not silent counts", async () => {
  const source = "aevalsrc='0|0.3*sin(2*PI*440*t)':s=44100";
  expect((await run(makeAudio("wav", { source, channels: 2 }))).silences).toEqual([]);
});

test("silence alone is one silence", async () => {
  const { silences } = await run(makeAudio("wav", { source: "anullsrc=cl=mono:r=44100" }));
  expect(silences).toEqual([{ start: 0, end: 1.3, duration: 1.3 }]);
});

test("a video whose audio starts late has times of the video", async () => {
  const { path } = makeAudio("wav", { source: pausedTone(0, [0.3, 1]) });
  const video = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=10:d=2"];
  const late = makeVideo("mkv", ...video, "-itsoffset", "0.5", "-i", path, "-c:a", "flac");
  const { silences } = await run({ path: late, type: "mkv" });
  expect(silences).toHaveLength(1);
  expect(silences[0]?.start).toBeCloseTo(0.8, 1);
  expect(silences[0]?.end).toBeCloseTo(1.5, 1);
});

test("a gap in the audio of a video is a silence, and later ones keep their times", async () => {
  const path = makeVideoWithGap(pausedTone(0, [4, 5]));
  const { silences, duration } = await run({ path, type: "mkv" });
  const times = silences.map(({ start, end }) => [start, end].map((time) => time.toFixed(1)));
  expect(times).toEqual([
    ["1.0", "3.0"],
    ["4.0", "5.0"],
  ]);
  expect(duration).toBeCloseTo(6, 1);
});

test("a video without audio is rejected", async () => {
  const sample = makeAudio("mp4", { video: true, options: ["-an"] });
  await expect(run(sample)).rejects.toMatchObject({ code: "unsupported_type" });
});
