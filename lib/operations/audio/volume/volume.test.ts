import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { volume } from "#lib/operations/audio/volume/index.ts";
import { decodeAudio, hashStreams, makeAudio, readAudio } from "#tests/samples/audio.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const noise = "anoisesrc=c=pink:a=0.2:seed=5:r=44100";

async function run(sample: Sample, params: Record<string, unknown>) {
  const { outputs } = await runOperation(volume, sample, params);
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

/** Root mean square of samples. */
function level(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
}

describe("gain", () => {
  test.each([
    ["-3dB", 10 ** (-3 / 20)],
    ["+6 dB", 10 ** (6 / 20)],
    ["-0.5DB", 10 ** (-0.5 / 20)],
    [0.25, 0.25],
    [0, 0],
  ])("%s multiplies every sample by %f", async (gain, factor) => {
    const sample = makeAudio("wav", { source: noise, options: ["-c:a", "pcm_f32le"] });
    const { samples } = await run(sample, { gain });
    const before = decodeAudio(sample.path);
    const worst = samples.reduce((most, value, index) => {
      return Math.max(most, Math.abs(value - factor * (before[index] ?? 0)));
    }, 0);
    expect(samples).toHaveLength(before.length);
    expect(worst).toBeLessThan(1e-6);
  });

  test("above full scale clips and does not wrap", async () => {
    const { samples } = await run(makeAudio("wav", { source: "sine=f=440" }), { gain: 100 });
    expect(samples.some((value) => value > 0.99)).toBe(true);
    const before = decodeAudio(makeAudio("wav", { source: "sine=f=440" }).path);
    const flipped = samples.filter((value, index) => value * (before[index] ?? 0) < 0);
    expect(flipped).toHaveLength(0);
  });

  test.each([1, "0dB"])("%s does not change the file", async (gain) => {
    const sample = makeAudio("mp3");
    const { path } = await run(sample, { gain });
    expect(await readFile(path)).toEqual(await readFile(sample.path));
  });
});

test.each(["mp3", "m4a", "ogg", "opus", "flac"] as const)(
  "%s keeps its format, rate, tags and length",
  async (type) => {
    const tags = { title: "Grüße 東京" };
    const sample = makeAudio(type, { source: noise, channels: 2, tags });
    const { facts, samples } = await run(sample, { gain: "-6dB" });
    const before = readAudio(sample.path);
    const decoded = decodeAudio(sample.path);
    expect([facts.codec, facts.container]).toEqual([before.codec, before.container]);
    expect([facts.sampleRate, facts.channels]).toEqual([before.sampleRate, 2]);
    expect(facts.tags).toMatchObject(tags);
    expect(Math.abs(level(samples) / level(decoded) / 10 ** (-6 / 20) - 1)).toBeLessThan(0.08);
    expect(Math.abs(samples.length - decoded.length)).toBeLessThan(0.05 * 2 * facts.sampleRate);
  },
);

test("24-bit FLAC with cover art keeps both", async () => {
  const options = ["-sample_fmt", "s32", "-bits_per_raw_sample", "24"];
  const { facts } = await run(makeAudio("flac", { cover: true, options }), { gain: "-6dB" });
  expect([facts.sampleFormat, facts.otherCodecs]).toEqual(["s32", ["mjpeg"]]);
});

describe("a video", () => {
  test("keeps its video packets, and every track is changed", async () => {
    const options = ["-map", "0:a"];
    const sample = makeAudio("mkv", { source: noise, video: true, options });
    const { path } = await run(sample, { gain: "-20dB" });
    const before = hashStreams(sample.path);
    const after = hashStreams(path);
    expect(after.packets[0]).toEqual(before.packets[0]);
    expect(after.packets).toHaveLength(3);
    expect(level(decodeAudio(path)) / level(decodeAudio(sample.path))).toBeCloseTo(0.1, 2);
  });

  test("without audio is rejected", async () => {
    const sample = makeAudio("mp4", { video: true, options: ["-an"] });
    for (const gain of [1, 2]) {
      await expect(run(sample, { gain })).rejects.toMatchObject({ code: "unsupported_type" });
    }
  });
});

test.each([
  [{}],
  [{ gain: -1 }],
  [{ gain: 101 }],
  [{ gain: "41dB" }],
  [{ gain: "-161dB" }],
  [{ gain: "loud" }],
  [{ gain: "3" }],
])("%j is rejected", (params) => {
  expect(volume.params.safeParse(params).success).toBe(false);
});
