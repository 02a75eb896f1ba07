import { describe, expect, test } from "vitest";
import { fade } from "#lib/operations/audio/fade/index.ts";
import { decodeAudio, hashStreams, makeAudio, readAudio } from "#tests/samples/audio.ts";
import { makeVideoWithGap } from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs } = await runOperation(fade, sample, params);
  const path = outputs[0]?.path ?? "";
  return {
    path,
    get facts() {
      return readAudio(path);
    },
    get samples() {
      return decodeAudio(path);
    },
  };
}

/** A constant of 0.5, so that each sample of the output shows the gain at its time. */
const constant = "aevalsrc=0.5:s=44100";
const asFloat = { source: constant, options: ["-c:a", "pcm_f32le"] } as const;

describe("the gain", () => {
  test("rises in the first second and falls in the last by default", async () => {
    const { samples } = await run(makeAudio("wav", { ...asFloat, duration: 3 }));
    const gainAt = (seconds: number) => (samples[Math.round(seconds * 44_100)] ?? 0) / 0.5;
    expect(samples).toHaveLength(3 * 44_100);
    expect(samples[0]).toBe(0);
    expect(gainAt(0.5)).toBeCloseTo(0.5, 2);
    for (const seconds of [1, 1.5, 2]) expect(gainAt(seconds)).toBe(1);
    expect(gainAt(2.75)).toBeCloseTo(0.25, 2);
    expect(Math.abs(samples.at(-1) ?? 1)).toBeLessThan(0.001);
  });

  test.each([
    [{ in: 0.4, out: 0 }, [0, 0.5, 1, 1, 1]],
    [{ in: 0, out: 0.4 }, [1, 1, 1, 0.5, 0]],
    [{ in: 500, out: 0 }, [0, 0.0004, 0.001, 0.002, 0.002]],
    // As long as the audio.
    [{ in: 0, out: 500 }, [1, 0.8, 0.5, 0.2, 0]],
  ])("with %j is right at five times", async (params, gains) => {
    const { samples } = await run(makeAudio("wav", { ...asFloat, duration: 1 }), params);
    const times = [0, 0.2, 0.5, 0.8, 0.99999];
    const found = times.map((time) => (samples[Math.floor(time * 44_100)] ?? 0) / 0.5);
    for (const [index, gain] of gains.entries()) {
      expect(Math.abs((found[index] ?? 0) - gain)).toBeLessThan(0.002);
    }
  });
});

test.each(["mp3", "m4a", "ogg", "opus", "flac", "aac"] as const)(
  "%s ends silent, and keeps its length and tags",
  async (type) => {
    const tags = { title: "Grüße 東京" };
    const sample = makeAudio(type, { tags });
    const { samples, facts } = await run(sample, { in: 0.2, out: 0.3 });
    const before = decodeAudio(sample.path);
    // A bare AAC stream cannot declare the delay of its encoder.
    expect(Math.abs(samples.length - before.length)).toBeLessThan(type === "aac" ? 2049 : 1100);
    const peak = (part: Float32Array) => part.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const end = before.length + (type === "aac" ? 1024 : 0);
    expect(peak(samples.subarray(end - 300, end))).toBeLessThan(0.01);
    expect(peak(samples.subarray(end - 9000, end - 6000))).toBeGreaterThan(0.03);
    if (type !== "aac") expect(facts.tags).toMatchObject(tags);
  },
);

test("a video keeps its video packets", async () => {
  const sample = makeAudio("mp4", { video: true });
  const { path, samples } = await run(sample, { in: 0.5, out: 0.5 });
  expect(hashStreams(path).packets[0]).toEqual(hashStreams(sample.path).packets[0]);
  expect(Math.abs(samples[20] ?? 1)).toBeLessThan(0.01);
});

test("the audio of a video with a gap fades at its end, not before", async () => {
  const path = makeVideoWithGap("aevalsrc=0.5:s=44100");
  const { samples } = await run({ path, type: "mkv" }, { in: 0.5, out: 0.5 });
  const level = (secondsBeforeEnd: number) =>
    samples.at(-Math.round(secondsBeforeEnd * 44_100)) ?? 0;
  for (const seconds of [2, 1, 0.55]) expect(level(seconds)).toBeCloseTo(0.5, 3);
  expect(level(0.25)).toBeCloseTo(0.25, 1);
  expect(Math.abs(samples.at(-1) ?? 1)).toBeLessThan(0.02);
});

test("a video without audio is rejected", async () => {
  const sample = makeAudio("mp4", { video: true, options: ["-an"] });
  await expect(run(sample)).rejects.toMatchObject({ code: "unsupported_type" });
});

test.each([[{ in: -1 }], [{ out: 86_401 }], [{ in: 0, out: 0 }], [{ length: 1 }]])(
  "%j is rejected",
  (params) => {
    expect(fade.params.safeParse(params).success).toBe(false);
  },
);
