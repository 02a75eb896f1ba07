import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { trim } from "#lib/operations/audio/trim/index.ts";
import {
  decodeAudio,
  makeAudio,
  packetHashes,
  readAudio,
  readChapters,
} from "#tests/samples/audio.ts";
import { ffprobe, makeVideoWithGap } from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const noise = "anoisesrc=c=pink:a=0.4:seed=4:r=44100";

async function run(sample: Sample, params: Record<string, unknown>) {
  const { outputs } = await runOperation(trim, sample, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return {
    output,
    get facts() {
      return readAudio(output.path);
    },
    get samples() {
      return decodeAudio(output.path);
    },
  };
}

describe("lossless audio is cut at the sample and keeps every bit", () => {
  test.each([
    ["wav", "pcm_s16le"],
    ["wav", "pcm_s24le"],
    ["wav", "pcm_f32le"],
    ["flac", "flac"],
    ["m4a", "alac"],
  ] as const)("%s of %s", async (type, codec) => {
    const sample = makeAudio(type, { source: noise, channels: 2, options: ["-c:a", codec] });
    const { facts, samples, output } = await run(sample, { start: 0.3217, end: 1.1 });
    expect(facts.codec).toBe(codec);
    const first = Math.round(0.3217 * 44_100);
    const last = Math.round(1.1 * 44_100);
    expect(samples).toEqual(decodeAudio(sample.path).subarray(first * 2, last * 2));
    expect(output.duration).toBeCloseTo(1.1 - 0.3217, 2);
  });

  test("even if precise is false", async () => {
    const sample = makeAudio("flac", { source: noise });
    const { samples } = await run(sample, { start: 0.5, duration: 0.25, precise: false });
    expect(samples).toEqual(decodeAudio(sample.path).subarray(22_050, 22_050 + 11_025));
  });
});

/** The shift in samples at which `part` fits `whole` best, near `expected`, and the correlation. */
function findShift(whole: Float32Array, part: Float32Array, expected: number) {
  let best = { shift: 0, correlation: 0 };
  const right = part.subarray(4000, 8000).reduce((sum, b) => sum + b * b, 0);
  for (let shift = expected - 1500; shift <= expected + 1500; shift++) {
    let cross = 0;
    let left = 0;
    for (let index = 4000; index < 8000; index++) {
      const a = whole[index + shift] ?? 0;
      const b = part[index] ?? 0;
      cross += a * b;
      left += a * a;
    }
    const correlation = cross / Math.sqrt(left * right);
    if (correlation > best.correlation) best = { shift, correlation };
  }
  return best;
}

describe("lossy audio", () => {
  const types: readonly MediaTypeId[] = ["mp3", "m4a", "ogg", "opus"];
  test.each(types)("of %s is cut at the sample", async (type) => {
    const tags = { title: "Grüße 東京" };
    const sample = makeAudio(type, { source: noise, tags });
    const { facts, samples } = await run(sample, { start: 0.4, end: 1 });
    const expected = Math.round(0.4 * facts.sampleRate);
    const { shift, correlation } = findShift(decodeAudio(sample.path), samples, expected);
    expect(correlation).toBeGreaterThan(0.9);
    expect(Math.abs(shift - expected)).toBeLessThanOrEqual(1);
    expect(Math.abs(samples.length / facts.sampleRate - 0.6)).toBeLessThan(0.005);
    expect(facts.codec).toBe(readAudio(sample.path).codec);
    expect(facts.tags).toMatchObject(tags);
  });

  test.each(types)("of %s keeps its packets with precise=false", async (type) => {
    const sample = makeAudio(type, { source: noise });
    const { output, samples, facts } = await run(sample, { start: 0.4, end: 1, precise: false });
    const seconds = samples.length / facts.sampleRate;
    expect(seconds).toBeGreaterThan(0.58);
    expect(seconds).toBeLessThan(0.71);
    const source = packetHashes(sample.path);
    const kept = packetHashes(output.path);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.filter((hash) => !source.includes(hash))).toEqual([]);
  });
});

describe("what belongs to the audio", () => {
  test.each(["mp3", "m4a", "flac"] as const)("cover art of %s is kept", async (type) => {
    const sample = makeAudio(type, { cover: true });
    for (const precise of [true, false]) {
      const { facts } = await run(sample, { start: 0.5, precise });
      expect(facts.otherCodecs).toEqual(["mjpeg"]);
    }
  });

  test.each(["m4a", "mp3"] as const)("chapters of %s move with the cut", async (type) => {
    const chapters = [
      { start: 0, end: 0.5, title: "One = 1; #x" },
      { start: 0.5, end: 0.8, title: "Zwei" },
      { start: 0.8, end: 1.3, title: "Three" },
    ];
    const { output } = await run(makeAudio(type, { chapters }), { start: 0.6, end: 1.1 });
    expect(readChapters(output.path)).toEqual([
      { start: 0, end: 0.2, title: "Zwei" },
      { start: 0.2, end: 0.5, title: "Three" },
    ]);
  });

  test.each(["m4a", "mp3"] as const)("chapters of %s move with copied packets", async (type) => {
    const chapters = [
      { start: 0, end: 2, title: "One" },
      { start: 2, end: 4, title: "Two" },
      { start: 4, end: 6, title: "Three" },
    ];
    const sample = makeAudio(type, { chapters, duration: 6 });
    const { output } = await run(sample, { start: 1, end: 3, precise: false });
    const end = expect.closeTo(2, 1);
    expect(readChapters(output.path)).toEqual([
      { start: 0, end: 1, title: "One" },
      { start: 1, end, title: "Two" },
    ]);
    expect(Number(ffprobe(output.path).format.duration)).toEqual(end);
  });

  test("5.1 channels and a sample rate of 96 kHz are kept", async () => {
    const sample = makeAudio("flac", { channels: 6, sampleRate: 96_000 });
    const { facts, samples } = await run(sample, { start: "00:00:00.5", duration: 0.1 });
    expect([facts.layout, facts.sampleRate, samples.length]).toEqual(["5.1", 96_000, 9600 * 6]);
  });

  test.each([
    ["mp4", "m4a", "aac"],
    ["webm", "opus", "opus"],
    ["mkv", "m4a", "aac"],
  ] as const)("of a %s becomes %s", async (type, extension, codec) => {
    const { output, facts, samples } = await run(makeAudio(type, { video: true }), {
      start: 0.25,
      end: 0.75,
    });
    expect([output.extension, facts.codec, facts.otherCodecs]).toEqual([extension, codec, []]);
    expect(Math.abs(samples.length / facts.sampleRate - 0.5)).toBeLessThan(0.03);
  });
});

describe("limits of the range", () => {
  test("an end after the audio is the end of the audio", async () => {
    const { samples } = await run(makeAudio("wav"), { start: 1, end: 500 });
    expect(samples).toHaveLength(Math.round(0.3 * 44_100));
  });

  test("a range of less than a sample is one sample", async () => {
    const { samples } = await run(makeAudio("wav"), { start: 0.5, duration: 0.000001 });
    expect(samples).toHaveLength(1);
  });

  test("the whole file is not changed", async () => {
    const sample = makeAudio("mp3");
    const { output } = await run(sample, { start: 0 });
    expect(await readFile(output.path)).toEqual(await readFile(sample.path));
  });

  test.each([[{}], [{ precise: false }]])("a start after the end fails %j", async (params) => {
    await expect(run(makeAudio("mp3"), { start: 5, ...params })).rejects.toMatchObject({
      code: "empty",
      message: "`start` must be before the end of the audio.",
    });
  });

  test("a video without audio is rejected", async () => {
    const sample = makeAudio("mp4", { video: true, options: ["-an"] });
    await expect(run(sample, { start: 0.5 })).rejects.toMatchObject({ code: "unsupported_type" });
  });

  test.each([
    [{}],
    [{ start: -1 }],
    [{ start: 2, end: 2 }],
    [{ start: 2, end: 1 }],
    [{ start: 0, duration: 0 }],
    [{ start: 0, end: 2, duration: 1 }],
    [{ start: 0, precise: "yes" }],
  ])("%j is rejected", (params) => {
    expect(trim.params.safeParse(params).success).toBe(false);
  });
});

test("the range of a video is that of its times, also after a gap in its audio", async () => {
  const path = makeVideoWithGap("aevalsrc='0.5*lt(t,5)':s=44100");
  const { output } = await run({ path, type: "mkv" }, { start: 4.5, end: 5.5 });
  const samples = decodeAudio(output.path);
  expect(samples.length / 44_100).toBeCloseTo(1, 1);
  const meanOf = (from: number, to: number) =>
    samples.subarray(from * 44_100, to * 44_100).reduce((sum, x) => sum + x, 0);
  expect(meanOf(0.6, 0.9) / meanOf(0.1, 0.4)).toBeCloseTo(0, 1);
});

describe("a file whose duration is estimated too short", () => {
  const source = "sine=r=44100,volume='if(lt(t,6),1,0)':eval=frame";
  const variable = { aac: ["-b:a", "128k"], mp3: ["-q:a", "0", "-write_xing", "0"] } as const;

  test.each(["aac", "mp3"] as const)("is trimmed by its real one: %s", async (type) => {
    const options = [...variable[type]];
    const sample = makeAudio(type, { source, duration: 20, options });
    const seconds = async (start: number, end?: number) => {
      const { output, samples } = await run(sample, { start, end, precise: false });
      expect(output.duration).toBeCloseTo(samples.length / 44_100, 0);
      return samples.length / 44_100;
    };
    expect(Math.abs((await seconds(1, 19)) - 18)).toBeLessThan(0.1);
    expect(Math.abs((await seconds(15, 18)) - 3)).toBeLessThan(0.1);
    expect(Math.abs((await seconds(15)) - 5)).toBeLessThan(0.1);
    await expect(seconds(21, 25)).rejects.toMatchObject({ code: "empty" });
  });
});
