import { describe, expect, test } from "vitest";
import { removeSilence } from "#lib/operations/audio/remove-silence/index.ts";
import { chooseByTime, dropIntervals } from "#lib/operations/shared/audio/piecewise.ts";
import { decodeAudio, makeAudio, readAudio, readChapters } from "#tests/samples/audio.ts";
import { readLog } from "#tests/samples/media-files.ts";
import { makeVideoWithGap } from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(removeSilence, sample, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return {
    output,
    result,
    get facts() {
      return readAudio(output.path);
    },
    get samples() {
      return decodeAudio(output.path);
    },
  };
}

/** The lengths of all silences below −50 dB that last 0.05 seconds, by ffmpeg. */
function findPauses(path: string): number[] {
  const filter = ["-af", "silencedetect=noise=-50dB:duration=0.05", "-f", "null", "-"];
  const log = readLog(["-i", path, ...filter]);
  return [...log.matchAll(/silence_duration: ([\d.]+)/g)].map(([, seconds]) => Number(seconds));
}

const pauses = "between(t,0,0.7)+between(t,1,2.5)+between(t,2.8,3.1)+between(t,3.5,4.5)";
const speech = `aevalsrc='if(${pauses},0,0.4*sin(2*PI*440*t))':s=44100`;

describe("the pauses", () => {
  test.each(["wav", "flac", "mp3", "opus"] as const)(
    "of a %s last as long as asked at most",
    async (type) => {
      const sample = makeAudio(type, { source: speech, duration: 4.5 });
      const { output, samples, facts, result } = await run(sample);
      const found = findPauses(output.path);
      expect(Math.max(...found)).toBeLessThanOrEqual(0.51);
      expect(found.some((seconds) => seconds > 0.45)).toBe(true);
      // 1.0 s of tone, and pauses of 0.25, 0.5, 0.3 and 0.25 s.
      const seconds = samples.length / facts.sampleRate;
      expect(Math.abs(seconds - 2.3)).toBeLessThan(0.06);
      expect(output.duration).toBeCloseTo(seconds, 1);
      expect(result).toMatchObject({ cuts: 3 });
    },
  );

  test("are cut, and every other sample is kept", async () => {
    const sample = makeAudio("wav", { source: speech, duration: 4.5 });
    const { samples } = await run(sample, { duration: 0.1 });
    const tone = (all: Float32Array) => all.filter((value) => value !== 0);
    expect(tone(samples)).toEqual(tone(decodeAudio(sample.path)));
  });

  test("of audio without any are kept", async () => {
    const sample = makeAudio("flac");
    const { samples, result } = await run(sample);
    expect(samples).toEqual(decodeAudio(sample.path));
    expect(result).toEqual({ cuts: 0, removed_seconds: 0 });
  });

  test("below another level are kept", async () => {
    const source = speech.replace(",0,0.4", ",0.01*sin(2*PI*440*t),0.4");
    const sample = makeAudio("wav", { source, duration: 4.5 });
    expect((await run(sample)).result).toMatchObject({ cuts: 0 });
    expect((await run(sample, { threshold: -35 })).result).toMatchObject({ cuts: 3 });
  });
});

test("chapters, tags and cover art are kept", async () => {
  const chapters = [
    { start: 0, end: 1, title: "One" },
    { start: 1, end: 4.5, title: "Two" },
  ];
  const tags = { title: "Grüße 東京" };
  const recipe = { source: speech, duration: 4.5, chapters, tags, cover: true };
  const { output, facts } = await run(makeAudio("mp3", recipe));
  expect(facts.tags).toMatchObject(tags);
  expect(facts.otherCodecs).toEqual(["mjpeg"]);
  const [first, second] = readChapters(output.path);
  expect(first?.end).toBeCloseTo(0.55, 1);
  expect(second?.end).toBeCloseTo(2.3, 1);
});

test("a video becomes an audio file", async () => {
  const sample = makeAudio("mp4", { source: speech, duration: 4.5, video: true });
  const { output, facts } = await run(sample);
  expect([output.extension, facts.otherCodecs]).toEqual(["m4a", []]);
  expect(output.duration).toBeCloseTo(2.3, 1);
});

test("silence alone fails", async () => {
  const sample = makeAudio("wav", { source: "anullsrc=cl=mono:r=44100" });
  await expect(run(sample)).rejects.toMatchObject({
    code: "empty",
    message: "The audio has nothing but silence.",
  });
});

test("a video without audio is rejected", async () => {
  const sample = makeAudio("mp4", { video: true, options: ["-an"] });
  await expect(run(sample)).rejects.toMatchObject({ code: "unsupported_type" });
});

test("thousands of pauses are removed", async () => {
  const source = "aevalsrc='if(lt(mod(t,0.12),0.06),0,0.4)':s=2000";
  const sample = makeAudio("wav", { source, duration: 276, sampleRate: 2000 });
  const { result, samples } = await run(sample, { duration: 0.05 });
  expect(result).toMatchObject({ cuts: 2300 });
  const tone = (all: Float32Array) => all.filter((value) => value > 0.3).length;
  expect(tone(samples)).toBe(tone(decodeAudio(sample.path)));
});

test("the expression of many intervals is a balanced tree", () => {
  const intervals = Array.from({ length: 1024 }, (_, index) => ({
    start: index,
    end: index + 0.5,
  }));
  const text = chooseByTime(intervals, ({ start }) => `v${start}`);
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "(") deepest = Math.max(deepest, ++depth);
    if (character === ")") depth--;
  }
  expect([depth, deepest]).toEqual([0, 11]);
  expect(dropIntervals([], 48_000)).toEqual(["asetpts=N/SR/TB"]);
});

test("pauses of a video are cut where they are, also after a gap in its audio", async () => {
  const path = makeVideoWithGap("aevalsrc='0.4*sin(2764*t)*(1-between(t,4,5))':s=44100");
  const { result, samples } = await run({ path, type: "mkv" }, { duration: 0.2 });
  expect(result).toMatchObject({ cuts: 2 });
  expect(samples.length / 44_100).toBeCloseTo(6 - 1.8 - 0.8, 1);
});
