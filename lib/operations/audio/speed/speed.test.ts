import { describe, expect, test } from "vitest";
import { speed } from "#lib/operations/audio/speed/index.ts";
import { decodeAudio, makeAudio, readAudio, readChapters } from "#tests/samples/audio.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function run(sample: Sample, params: Record<string, unknown>) {
  const { outputs } = await runOperation(speed, sample, params);
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

/** The strength of `frequency` in mono samples. */
function strength(samples: Float32Array, frequency: number, sampleRate: number): number {
  let cosine = 0;
  let sine = 0;
  for (const [index, sample] of samples.entries()) {
    const angle = (2 * Math.PI * frequency * index) / sampleRate;
    const window = 1 - Math.cos((2 * Math.PI * index) / samples.length);
    cosine += window * sample * Math.cos(angle);
    sine += window * sample * Math.sin(angle);
  }
  return Math.hypot(cosine, sine);
}

/** The strongest of the frequencies within an octave of `expected`, to a quarter of a percent. */
function findPeak(samples: Float32Array, expected: number, sampleRate: number): number {
  const candidates = Array.from({ length: 400 }, (_, step) => expected * 2 ** ((step - 200) / 280));
  const strengths = candidates.map((one) => strength(samples, one, sampleRate));
  return candidates[strengths.indexOf(Math.max(...strengths))] ?? 0;
}

describe("pitch and length", () => {
  test.each([0.1, 0.5, 0.8, 1.25, 2, 3, 10])("at factor %f", async (factor) => {
    const sample = makeAudio("wav", { duration: factor >= 3 ? 4 : 1.3, sampleRate: 22_050 });
    const { samples, facts, output } = await run(sample, { factor });
    const seconds = (factor >= 3 ? 4 : 1.3) / factor;
    expect(facts.sampleRate).toBe(22_050);
    expect(Math.abs(samples.length / 22_050 - seconds)).toBeLessThan(0.001);
    expect(output.duration).toBeCloseTo(seconds, 2);
    const middle = samples.length >> 1;
    const half = Math.min(4000, middle);
    const peak = findPeak(samples.subarray(middle - half, middle + half), 440, 22_050);
    expect(Math.abs(peak / 440 - 1)).toBeLessThan(0.01);
  });

  test.each([0.5, 1.5, 2])("at factor %f, onsets are at their times", async (factor) => {
    const source = "aevalsrc='0.8*between(mod(t,1),0.5,0.6)*sin(2*PI*1000*t)':s=22050";
    const sample = makeAudio("wav", { source, duration: 3, sampleRate: 22_050 });
    const { samples } = await run(sample, { factor });
    for (const second of [0, 1, 2]) {
      const from = Math.round(((second + 0.3) / factor) * 22_050);
      const to = Math.round(((second + 0.8) / factor) * 22_050);
      let energy = 0;
      let weighted = 0;
      for (let index = from; index < to; index++) {
        const power = (samples[index] ?? 0) ** 2;
        energy += power;
        weighted += power * index;
      }
      const center = weighted / energy / 22_050;
      expect(Math.abs(center - (second + 0.55) / factor)).toBeLessThan(0.03);
    }
  });
});

describe("what belongs to the audio", () => {
  test.each(["mp3", "m4a", "ogg", "opus", "flac"] as const)(
    "%s keeps its format, rate, channels and tags",
    async (type) => {
      const tags = { title: "Grüße 東京" };
      const sample = makeAudio(type, { channels: 2, tags });
      const { facts, samples } = await run(sample, { factor: 2 });
      const before = readAudio(sample.path);
      expect([facts.codec, facts.container]).toEqual([before.codec, before.container]);
      expect([facts.sampleRate, facts.channels]).toEqual([before.sampleRate, 2]);
      expect(Math.abs(samples.length / 2 / facts.sampleRate - 0.65)).toBeLessThan(0.03);
      expect(facts.tags).toMatchObject(tags);
    },
  );

  test("chapters and cover art are kept", async () => {
    const chapters = [
      { start: 0, end: 0.5, title: "One" },
      { start: 0.5, end: 1.3, title: "Two" },
    ];
    const sample = makeAudio("mp3", { chapters, cover: true });
    const { output, facts } = await run(sample, { factor: 0.5 });
    expect(facts.otherCodecs).toEqual(["mjpeg"]);
    expect(readChapters(output.path)).toMatchObject([{ end: 1 }, { start: 1, title: "Two" }]);
  });

  test("5.1 channels are kept", async () => {
    const { facts } = await run(makeAudio("flac", { channels: 6 }), { factor: 1.2 });
    expect(facts.layout).toBe("5.1");
  });

  test.each([
    ["mp4", "m4a"],
    ["webm", "opus"],
  ] as const)("of a %s becomes %s", async (type, extension) => {
    const { output, facts, samples } = await run(makeAudio(type, { video: true }), { factor: 2 });
    expect([output.extension, facts.otherCodecs]).toEqual([extension, []]);
    expect(Math.abs(samples.length / facts.sampleRate - 0.65)).toBeLessThan(0.03);
  });

  test("a video without audio is rejected", async () => {
    const sample = makeAudio("mp4", { video: true, options: ["-an"] });
    await expect(run(sample, { factor: 2 })).rejects.toMatchObject({ code: "unsupported_type" });
  });
});

test("an output that lasts too long is rejected", async () => {
  const limits = { duration: 5 };
  const running = runOperation(speed, makeAudio("mp3"), { factor: 0.1 }, {}, undefined, limits);
  await expect(running).rejects.toMatchObject({ code: "too_complex" });
});

test.each([
  [{}],
  [{ factor: 0.09 }],
  [{ factor: 10.1 }],
  [{ factor: "2" }],
  [{ factor: Number.NaN }],
])("%j is rejected", (params) => {
  expect(speed.params.safeParse(params).success).toBe(false);
});
