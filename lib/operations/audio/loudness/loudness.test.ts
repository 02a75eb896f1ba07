import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { loudness } from "#lib/operations/audio/loudness/index.ts";
import { makeAudio, measureLoudness } from "#tests/samples/audio.ts";
import { readLog } from "#tests/samples/media-files.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

interface LoudnessReport {
  readonly integrated_lufs: number | null;
  readonly loudness_range_lu: number | null;
  readonly true_peak_dbtp: number | null;
  readonly by_second: {
    readonly momentary_max_lufs: (number | null)[];
    readonly short_term_lufs: (number | null)[];
  };
}

async function run(sample: Sample) {
  const { outputs, result } = await runOperation(loudness, sample);
  expect(JSON.parse(await readFile(outputs[0]?.path ?? "", "utf8"))).toEqual(result);
  // The tests check the shape of the result.
  return result as unknown as LoudnessReport;
}

/** What ffmpeg's ebur128 logs: the loudness, and time, momentary and short-term loudness of frames. */
function logLoudness(path: string) {
  const filter = ["-af", "ebur128=framelog=info", "-f", "null", "-"];
  const log = readLog(["-i", path, "-map", "0:a:0", ...filter]);
  const frames = log.matchAll(/t: ([\d.]+) .*?M: *(-?[\d.]+) S: *(-?[\d.]+)/g);
  const summary = log.slice(log.lastIndexOf("Summary:"));
  return {
    integrated: Number(/I: *(-?[\d.]+) LUFS/.exec(summary)?.[1]),
    range: Number(/LRA: *(-?[\d.]+) LU/.exec(summary)?.[1]),
    frames: [...frames].map(([, time, momentary, shortTerm]) => ({
      time: Number(time),
      momentary: Number(momentary),
      shortTerm: Number(shortTerm),
    })),
  };
}

test.each([
  ["wav", "anoisesrc=c=pink:a=0.3:seed=3"],
  ["mp3", "sine=f=440"],
  ["m4a", "anoisesrc=c=brown:a=0.5:seed=9,volume='if(lt(t,2),0.2,1)':eval=frame"],
] as const)("%s of %s agrees with ebur128 and loudnorm", async (type, source) => {
  const sample = makeAudio(type, { source, duration: 4.5, channels: 2 });
  const result = await run(sample);
  const measured = measureLoudness(sample.path);
  // loudnorm is another implementation, and has two decimals.
  expect(Math.abs((result.integrated_lufs ?? 0) - measured.loudness)).toBeLessThanOrEqual(0.15);
  expect(Math.abs((result.true_peak_dbtp ?? 0) - measured.truePeak)).toBeLessThanOrEqual(0.15);
  const { integrated, range, frames } = logLoudness(sample.path);
  expect(Math.abs((result.integrated_lufs ?? 0) - integrated)).toBeLessThan(0.1);
  expect(Math.abs((result.loudness_range_lu ?? 0) - range)).toBeLessThan(0.1);
  expect(result.by_second.short_term_lufs).toHaveLength(4);
  for (const [second, value] of result.by_second.short_term_lufs.entries()) {
    const frame = frames.find(({ time }) => Math.abs(time - second - 1) < 0.01);
    const expected = frame && frame.shortTerm > -70 ? frame.shortTerm : null;
    expect(value === null).toBe(expected === null);
    expect(Math.abs((value ?? 0) - (expected ?? 0))).toBeLessThanOrEqual(0.1);
  }
  const [, momentary] = result.by_second.momentary_max_lufs;
  const loudest = frames.filter(({ time }) => time > 1.05 && time < 2.05);
  const expected = Math.max(...loudest.map((frame) => frame.momentary));
  expect(Math.abs((momentary ?? 0) - expected)).toBeLessThanOrEqual(0.1);
});

test("the loudness by second shows where the audio is silent", async () => {
  const source = "aevalsrc='if(between(t,2,4),0,0.3*sin(2*PI*997*t))':s=44100";
  const { by_second } = await run(makeAudio("flac", { source, duration: 5 }));
  expect(by_second.momentary_max_lufs).toHaveLength(5);
  expect(by_second.momentary_max_lufs[3]).toBeNull();
  expect(by_second.momentary_max_lufs[0]).toBeLessThan(-10);
});

test("silence has no loudness", async () => {
  const result = await run(makeAudio("wav", { source: "anullsrc=cl=mono" }));
  expect(result).toEqual({
    integrated_lufs: null,
    loudness_range_lu: null,
    true_peak_dbtp: null,
    by_second: { momentary_max_lufs: [null, null], short_term_lufs: [null] },
  });
});

describe("a video", () => {
  test("is measured by its audio", async () => {
    const sample = makeAudio("mp4", { source: "sine=f=440", video: true });
    const { integrated_lufs } = await run(sample);
    expect(
      Math.abs((integrated_lufs ?? 0) - measureLoudness(sample.path).loudness),
    ).toBeLessThanOrEqual(0.1);
  });

  test("without audio is rejected", async () => {
    const sample = makeAudio("mp4", { video: true, options: ["-an"] });
    await expect(run(sample)).rejects.toMatchObject({ code: "unsupported_type" });
  });
});

test("a parameter is rejected", () => {
  expect(loudness.params.safeParse({ target: -14 }).success).toBe(false);
});
