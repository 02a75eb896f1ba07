import { describe, expect, test } from "vitest";
import { concat } from "#lib/operations/audio/concat/index.ts";
import {
  decodeAudio,
  makeAudio,
  makeChannels,
  packetHashes,
  readAudio,
  readChapters,
  withoutChannelMask,
} from "#tests/samples/audio.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function run(samples: readonly Sample[], params: Record<string, unknown> = {}) {
  const { outputs } = await runOperation(concat, samples, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const facts = readAudio(output.path);
  const decoded = decodeAudio(output.path);
  return { output, facts, decoded, seconds: decoded.length / facts.channels / facts.sampleRate };
}

const noise = (seed: number) => `anoisesrc=c=pink:a=0.4:seed=${seed}:r=44100`;

describe("lossless audio", () => {
  test.each([
    ["wav", "pcm_s16le"],
    ["wav", "pcm_s24le"],
    ["flac", "flac"],
  ] as const)("%s of %s is joined sample after sample", async (type, codec) => {
    const recipe = { channels: 2, options: ["-c:a", codec] };
    const samples = [1, 2, 3].map((seed) => makeAudio(type, { ...recipe, source: noise(seed) }));
    const { decoded, facts } = await run(samples);
    expect(facts.codec).toBe(codec);
    const expected = samples.flatMap(({ path }) => [...decodeAudio(path)]);
    expect(decoded).toEqual(new Float32Array(expected));
  });

  test.each([3, 4])("keeps %i channels without a channel mask apart", async (channels) => {
    const sample = withoutChannelMask(makeChannels(channels));
    const { decoded, facts } = await run([sample, sample]);
    expect(facts.channels).toBe(channels);
    const once = Buffer.from(decodeAudio(sample.path).buffer);
    expect(Buffer.concat([once, once]).equals(Buffer.from(decoded.buffer))).toBe(true);
  });
});

describe("MP3 and AAC", () => {
  test.each(["mp3", "aac", "m4a"] as const)("packets of %s are copied", async (type) => {
    const tags = { title: "Grüße 東京" };
    const samples = [1, 2].map((seed) => makeAudio(type, { source: noise(seed), tags }));
    const { output, facts, seconds } = await run(samples);
    const source = samples.flatMap(({ path }) => packetHashes(path));
    expect(packetHashes(output.path)).toEqual(source);
    expect(Math.abs(seconds - 2.6)).toBeLessThan(0.13);
    expect(output.duration).toBeCloseTo(seconds, 1);
    if (type !== "aac") expect(facts.tags).toMatchObject(tags);
  });

  test("of different sample rates are encoded again, without gaps", async () => {
    const samples = [
      makeAudio("mp3", { source: "sine=f=440", cover: true }),
      makeAudio("mp3", { sampleRate: 22_050, channels: 2 }),
    ];
    const { facts, seconds, decoded } = await run(samples);
    expect([facts.codec, facts.sampleRate, facts.channels]).toEqual(["mp3", 44_100, 2]);
    expect(facts.otherCodecs).toEqual(["mjpeg"]);
    expect(Math.abs(seconds - 2.6)).toBeLessThan(0.03);
    const around = decoded.subarray(2 * 1.25 * 44_100, 2 * 1.35 * 44_100);
    const block = 2 * 441;
    for (let start = 0; start + block <= around.length; start += block) {
      const peak = around
        .subarray(start, start + block)
        .reduce((a, b) => Math.max(a, Math.abs(b)), 0);
      expect(peak).toBeGreaterThan(0.05);
    }
  });
});

describe("unlike files", () => {
  test("get the format of the first, and the widest form of all", async () => {
    const samples = [
      makeAudio("flac", { sampleRate: 22_050, duration: 0.5 }),
      makeAudio("mp3", { channels: 2, sampleRate: 48_000, duration: 0.5 }),
      makeAudio("wav", { channels: 6, sampleRate: 8000, duration: 0.5 }),
      makeAudio("mp4", { video: true, duration: 0.5 }),
      makeAudio("opus", { duration: 0.5 }),
    ];
    const { facts, seconds, output } = await run(samples);
    expect([facts.codec, facts.sampleRate, facts.layout]).toEqual(["flac", 48_000, "5.1"]);
    expect(Math.abs(seconds - 2.5)).toBeLessThan(0.05);
    expect(output.duration).toBeCloseTo(2.5, 1);
  });

  test.each(["ogg", "opus", "mp3"] as const)("into %s play through", async (type) => {
    const samples = [makeAudio(type), makeAudio("flac", { channels: 6 }), makeAudio(type)];
    const { facts, seconds } = await run(samples);
    expect(facts.codec).toBe(readAudio(samples[0]?.path ?? "").codec);
    expect(facts.channels).toBe(type === "mp3" ? 2 : 6);
    expect(Math.abs(seconds - 3.9)).toBeLessThan(0.05);
  });

  test("that begin with a video become an audio file", async () => {
    const { output, facts, seconds } = await run([
      makeAudio("webm", { video: true }),
      makeAudio("wav"),
    ]);
    expect([output.extension, facts.codec, facts.otherCodecs]).toEqual(["opus", "opus", []]);
    expect(Math.abs(seconds - 2.6)).toBeLessThan(0.05);
  });
});

describe("crossfade", () => {
  const constant = (value: number) =>
    makeAudio("wav", { source: `aevalsrc=${value}:s=44100`, duration: 1 });

  test("overlaps the files and keeps the power", async () => {
    const { decoded, seconds } = await run([constant(0.5), constant(0), constant(0.5)], {
      crossfade: 0.4,
    });
    expect(Math.abs(seconds - 2.2)).toBeLessThan(0.001);
    const at = (time: number) => decoded[Math.round(time * 44_100)] ?? 0;
    expect(at(0.5)).toBeCloseTo(0.5, 3);
    expect(at(0.8)).toBeCloseTo(0.5 * Math.SQRT1_2, 2);
    expect(at(1.1)).toBeCloseTo(0, 3);
    expect(at(1.4)).toBeCloseTo(0.5 * Math.SQRT1_2, 2);
    expect(at(2)).toBeCloseTo(0.5, 3);
  });

  test("is at most half of the shorter file", async () => {
    const { seconds } = await run([constant(0.5), makeAudio("wav", { duration: 0.4 })], {
      crossfade: 60,
    });
    expect(Math.abs(seconds - 1.2)).toBeLessThan(0.001);
  });
});

test.each(["mp3", "flac"] as const)(
  "chapters of joined %s files follow each other",
  async (type) => {
    const chapters = [{ start: 0, end: 1.3, title: "One" }];
    const samples = [
      makeAudio("mp3", { chapters }),
      makeAudio(type, { source: noise(8) }),
      makeAudio("m4a", {
        chapters: [
          { start: 0, end: 0.5, title: "Two" },
          { start: 0.5, end: 1.3, title: "Three" },
        ],
      }),
    ];
    const found = readChapters((await run(samples)).output.path);
    expect(found.map(({ title }) => title)).toEqual(["One", "Two", "Three"]);
    expect(Math.abs((found[2]?.start ?? 0) - 3.1)).toBeLessThan(0.1);
  },
);

test("a video without audio is rejected", async () => {
  const silent = makeAudio("mp4", { video: true, options: ["-an"] });
  await expect(run([makeAudio("mp3"), silent])).rejects.toMatchObject({
    code: "unsupported_type",
    message: expect.stringMatching(/^Input 2, [^:]+: /),
  });
});

test("files that last too long together are rejected", async () => {
  const samples = [makeAudio("mp3"), makeAudio("mp3")];
  const limits = { duration: 2 };
  const running = runOperation(concat, samples, {}, {}, undefined, limits);
  await expect(running).rejects.toMatchObject({ code: "too_complex" });
});

test.each([[{ crossfade: -1 }], [{ crossfade: 61 }], [{ fade: 1 }]])("%j is rejected", (params) => {
  expect(concat.params.safeParse(params).success).toBe(false);
});
