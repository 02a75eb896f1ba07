import { describe, expect, test } from "vitest";
import { mix } from "#lib/operations/audio/mix/index.ts";
import { decodeAudio, makeAudio, readAudio, readChapters } from "#tests/samples/audio.ts";
import { ffprobe } from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function run(samples: readonly Sample[], params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(mix, samples, params);
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

const asFloat = ["-c:a", "pcm_f32le"];
const constant = (value: number, duration: number) =>
  makeAudio("wav", { source: `aevalsrc=${value}:s=44100`, duration, options: asFloat });
const at = (samples: Float32Array, seconds: number) => samples[Math.round(seconds * 44_100)] ?? 0;

test("chapters of the first file end with the mix", async () => {
  const chapters = [
    { start: 0, end: 2, title: "One" },
    { start: 2, end: 4, title: "Two" },
    { start: 4, end: 6, title: "Three" },
  ];
  const first = makeAudio("m4a", { chapters, duration: 6 });
  const { output } = await run([first, constant(0.1, 3)], { duration: "shortest" });
  expect(readChapters(output.path)).toEqual([
    { start: 0, end: 2, title: "One" },
    { start: 2, end: 3, title: "Two" },
  ]);
  expect(Number(ffprobe(output.path).format.duration)).toBeCloseTo(3, 1);
});

describe("the sum", () => {
  test("is that of the samples times their volumes", async () => {
    const inputs = [constant(0.1, 1), constant(0.2, 1), constant(0.4, 1)];
    const plain = await run(inputs);
    expect(at(plain.samples, 0.5)).toBeCloseTo(0.7, 4);
    const { samples } = await run(inputs, { volumes: "0.5, -6dB,0" });
    expect(at(samples, 0.5)).toBeCloseTo(0.05 + 0.2 * 10 ** (-6 / 20), 4);
  });

  test("does not exceed full scale", async () => {
    const { samples } = await run([makeAudio("wav"), makeAudio("wav")], { volumes: "8,8" });
    const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(peak).toBeLessThanOrEqual(1);
    expect(peak).toBeGreaterThan(0.9);
    // The limiter lowers the level and does not cut the tone off.
    const flat = samples.filter((value) => Math.abs(value) > 0.9995);
    expect(flat.length / samples.length).toBeLessThan(0.1);
  });
});

describe("duration", () => {
  test.each([
    ["longest", 1.5],
    ["shortest", 0.5],
    ["first", 1],
  ])("%s lasts %f seconds", async (duration, seconds) => {
    const inputs = [constant(0.1, 1), constant(0.2, 0.5), constant(0.4, 1.5)];
    const { samples, output } = await run(inputs, { duration });
    expect(samples.length / 44_100).toBeCloseTo(seconds, 2);
    expect(output.duration).toBeCloseTo(seconds, 1);
    if (duration === "longest") {
      expect(at(samples, 0.75)).toBeCloseTo(0.5, 4);
      expect(at(samples, 1.25)).toBeCloseTo(0.4, 4);
    }
  });
});

describe("duck", () => {
  /** A voice from 1.5 to 2.5 s and from 4.5 to 5 s, as a 1 kHz tone. */
  const voice = makeAudio("wav", {
    source: "aevalsrc='(between(t,1.5,2.5)+between(t,4.5,5))*0.5*sin(2*PI*1000*t)':s=44100",
    duration: 6,
    options: asFloat,
  });
  const music = constant(0.1, 6);

  /** The mean of a whole number of periods of the voice, which is the level of the constant. */
  function musicAt(samples: Float32Array, seconds: number): number {
    const start = Math.round(seconds * 44_100);
    const part = samples.subarray(start, start + 441);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  }

  test("lowers the other files by 12 dB while the first is not silent", async () => {
    const { samples, result } = await run([voice, music], { duck: true });
    const lowered = 0.1 * 10 ** (-12 / 20);
    for (const time of [1.5, 2, 2.48, 4.5, 4.9]) {
      expect(Math.abs(20 * Math.log10(musicAt(samples, time) / lowered))).toBeLessThan(0.5);
    }
    for (const time of [0.5, 1.1, 3, 3.5, 4.1, 5.5]) {
      expect(musicAt(samples, time)).toBeCloseTo(0.1, 4);
    }
    const { ducked } = result as { ducked: { start: number; end: number }[] };
    expect(ducked).toHaveLength(2);
    expect(ducked[0]?.start).toBeCloseTo(1.5, 1);
    expect(ducked[1]?.end).toBeCloseTo(5, 1);
  });

  test("changes the level without steps", async () => {
    const { samples } = await run([voice, music], { duck: true });
    const edges = [
      samples.subarray(44_100, 1.49 * 44_100),
      samples.subarray(2.51 * 44_100, 3 * 44_100),
    ];
    for (const edge of edges) {
      const step = edge.reduce((most, value, index) => {
        return index === 0 ? 0 : Math.max(most, Math.abs(value - (edge[index - 1] ?? 0)));
      }, 0);
      expect(step).toBeLessThan(0.003);
    }
  });

  test("is off by default, and silence lowers nothing", async () => {
    const plain = await run([voice, music]);
    expect(musicAt(plain.samples, 2)).toBeCloseTo(0.1, 3);
    expect(plain.result).toBeUndefined();
    const { samples, result } = await run([constant(0, 1), constant(0.1, 1)], { duck: true });
    expect(at(samples, 0.5)).toBeCloseTo(0.1, 4);
    expect(result).toEqual({ ducked: [] });
  });
});

describe("the format is that of the first file", () => {
  test.each(["mp3", "m4a", "ogg", "opus", "flac"] as const)("%s", async (type) => {
    const tags = { title: "Grüße 東京" };
    const first = makeAudio(type, { tags });
    const { facts } = await run([first, makeAudio("wav", { channels: 2 })]);
    expect(facts.codec).toBe(readAudio(first.path).codec);
    expect(facts.channels).toBe(2);
    expect(facts.tags).toMatchObject(tags);
  });

  test("and it keeps its cover art", async () => {
    const { facts } = await run([
      makeAudio("mp3", { cover: true }),
      makeAudio("flac", { cover: true }),
    ]);
    expect(facts.otherCodecs).toEqual(["mjpeg"]);
  });

  test("and a video gives its audio", async () => {
    const { output, facts } = await run([makeAudio("mp4", { video: true }), makeAudio("mp3")]);
    expect([output.extension, facts.codec, facts.otherCodecs]).toEqual(["m4a", "aac", []]);
  });
});

test("a video without audio is rejected", async () => {
  const silent = makeAudio("mp4", { video: true, options: ["-an"] });
  await expect(run([makeAudio("mp3"), silent])).rejects.toMatchObject({
    code: "unsupported_type",
    message: expect.stringMatching(/^Input 2, [^:]+: /),
  });
});

test.each([
  [{ volumes: "" }],
  [{ volumes: "1,loud" }],
  [{ volumes: "-1" }],
  [{ volumes: "101" }],
  [{ volumes: [1, 2] }],
  [{ duration: "last" }],
  [{ duck: "yes" }],
])("%j is rejected", (params) => {
  expect(mix.params.safeParse(params).success).toBe(false);
});
