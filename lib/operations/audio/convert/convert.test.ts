import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  audioFormats,
  bitRateArguments,
  fitSampleRate,
} from "#lib/engines/ffmpeg/audio-formats.ts";
import { convert } from "#lib/operations/audio/convert/index.ts";
import {
  decodeAudio,
  makeAudio,
  makeChannels,
  measureDuration,
  readAudio,
  withoutChannelMask,
} from "#tests/samples/audio.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const tags = { title: "Grüße 東京 🎵", artist: "Ærø & <Söhne>" };

const codecs = {
  mp3: ["mp3", "mp3"],
  aac: ["aac", "aac"],
  m4a: ["aac", "mov,mp4,m4a,3gp,3g2,mj2"],
  ogg: ["vorbis", "ogg"],
  opus: ["opus", "ogg"],
  flac: ["flac", "flac"],
  wav: ["pcm_s16le", "wav"],
} as const;

async function run(sample: Sample, params: Record<string, unknown>) {
  const { outputs, progress, warnings } = await runOperation(convert, sample, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return { output, progress, warnings, facts: readAudio(output.path) };
}

/** The description of a parameter in the API documents. */
const descriptionOf = (name: string) =>
  JSON.stringify(z.toJSONSchema(convert.params, { io: "input" }).properties?.[name]);

/** The share of a 440 Hz tone in the energy of mono audio. */
function toneShare(samples: Float32Array, sampleRate: number): number {
  let cosine = 0;
  let sine = 0;
  let energy = 0;
  for (const [index, sample] of samples.entries()) {
    const angle = (2 * Math.PI * 440 * index) / sampleRate;
    cosine += sample * Math.cos(angle);
    sine += sample * Math.sin(angle);
    energy += sample * sample;
  }
  return (2 * (cosine ** 2 + sine ** 2)) / samples.length / energy;
}

/** Two formats for each format, itself and another, so that each is twice a source and twice a target. */
const targetsOf = (from: (typeof audioFormats)[number]) =>
  [0, 3].flatMap((step) => {
    const index = (audioFormats.indexOf(from) + step) % audioFormats.length;
    return audioFormats[index] ?? [];
  });

describe.each(audioFormats)("from %s", (from) => {
  const sample = makeAudio(from, { tags, duration: 1 });
  const duration = measureDuration(sample.path);

  test.each(targetsOf(from))("to %s keeps duration, content and tags", async (format) => {
    const { output, facts, progress } = await run(sample, { format });
    expect([facts.codec, facts.container]).toEqual(codecs[format]);
    const samples = decodeAudio(output.path);
    expect(Math.abs(samples.length / facts.sampleRate - duration)).toBeLessThan(0.05);
    expect(Math.abs((output.duration ?? 0) - duration)).toBeLessThan(0.1);
    expect(toneShare(samples, facts.sampleRate)).toBeGreaterThan(0.9);
    expect(Math.max(...progress)).toBeLessThanOrEqual(100);
    // The ADTS files that ffmpeg writes have no tags.
    if (from !== "aac") expect(facts.tags).toMatchObject(tags);
  });
});

describe("the audio of a video", () => {
  test.each(["mov", "mkv", "webm"] as const)("of %s becomes FLAC", async (type) => {
    const sample = makeAudio(type, { video: true });
    const { output, facts } = await run(sample, { format: "flac" });
    expect(facts.otherCodecs).toEqual([]);
    const difference = measureDuration(output.path) - measureDuration(sample.path);
    expect(Math.abs(difference)).toBeLessThan(0.05);
  });

  test("if there is none, the job fails", async () => {
    const sample = makeAudio("mp4", { video: true, options: ["-an"] });
    await expect(run(sample, { format: "mp3" })).rejects.toMatchObject({
      code: "unsupported_type",
      message: "The file has no audio.",
    });
  });
});

describe("cover art", () => {
  test.each(["mp3", "m4a", "flac"] as const)("is kept in %s", async (format) => {
    const { facts } = await run(makeAudio("mp3", { cover: true }), { format });
    expect(facts.otherCodecs).toEqual(["mjpeg"]);
  });

  test.each(["ogg", "opus", "wav", "aac"] as const)("is dropped in %s", async (format) => {
    const { facts } = await run(makeAudio("flac", { cover: true }), { format });
    expect(facts.otherCodecs).toEqual([]);
  });
});

describe("sample_rate and channels", () => {
  test.each([
    ["mp3", 22_050, 22_050, 1],
    ["mp3", 96_000, 48_000, 2],
    ["aac", 96_000, 96_000, 8],
    ["m4a", 44_100, 44_100, 7],
    ["ogg", 96_000, 96_000, 6],
    ["opus", 16_000, 48_000, 3],
    ["opus", 48_000, 48_000, 4],
    ["flac", 192_000, 192_000, 5],
    ["wav", 8000, 8000, 8],
    ["wav", 12_345, 12_345, 1],
  ] as const)(
    "%s with %i Hz becomes %i Hz, with %i channels",
    async (format, sample_rate, expected, channels) => {
      const sample = makeAudio("wav", { channels: 2 });
      const { output, facts } = await run(sample, { format, sample_rate, channels });
      expect([facts.sampleRate, facts.channels]).toEqual([expected, channels]);
      expect(Math.abs(measureDuration(output.path) - 1.3)).toBeLessThan(0.05);
    },
  );

  test.each(["mp3", "aac", "m4a"] as const)(
    "of %s is at most the maximum in its description",
    (format) => {
      const most = fitSampleRate(format, 192_000);
      expect(descriptionOf("sample_rate")).toMatch(
        new RegExp(`${format}\\b[^.:]* at most ${most}`),
      );
    },
  );

  test("of low-rate audio adds less than 50 ms to a bare AAC stream", async () => {
    const { output } = await run(makeAudio("wav", { sampleRate: 8000 }), { format: "aac" });
    expect(measureDuration(output.path) - 1.3).toBeLessThan(0.05);
  });
});

describe("channels", () => {
  test("of surround audio become two in MP3 and stay in Opus", async () => {
    const sample = makeAudio("flac", { channels: 6 });
    expect((await run(sample, { format: "mp3" })).facts.channels).toBe(2);
    expect((await run(sample, { format: "opus" })).facts.layout).toBe("5.1");
  });

  test.each([3, 4, 5, 8])("of a WAV without a channel mask stay apart: %i", async (channels) => {
    const sample = withoutChannelMask(makeChannels(channels));
    for (const params of [{ format: "flac" }, { format: "wav", channels }]) {
      const { output, facts } = await run(sample, params);
      expect(facts.channels).toBe(channels);
      expect(decodeAudio(output.path)).toEqual(decodeAudio(sample.path));
    }
    expect((await run(sample, { format: "m4a" })).facts.channels).toBe(channels);
  });

  test.each([
    [3, "2.1"],
    [4, "4.0"],
  ] as const)(
    "%i of the unusual layout %s stay apart in FLAC and WAV",
    async (channels, layout) => {
      const sample = makeChannels(channels);
      for (const format of ["flac", "wav"]) {
        const { output, facts } = await run(sample, { format });
        expect(facts.layout).toBe(layout);
        expect(decodeAudio(output.path)).toEqual(decodeAudio(sample.path));
      }
    },
  );
});

describe("bitrate", () => {
  test.each([
    ["mp3", "128k", 128_000],
    ["mp3", "64000", 64_000],
    ["m4a", "64k", 64_000],
    ["ogg", "112k", 112_000],
    ["opus", "32k", 32_000],
    // The nearest one that the format supports.
    ["mp3", "512k", 320_000],
    ["mp3", "8k", 32_000],
  ] as const)("%s of %s is reached approximately", async (format, bitrate, expected) => {
    const sample = makeAudio("wav", { source: "anoisesrc=c=pink:a=0.5:seed=1", channels: 2 });
    const { bitRate } = (await run(sample, { format, bitrate })).facts;
    expect(bitRate / expected).toBeGreaterThan(0.75);
    expect(bitRate / expected).toBeLessThan(1.3);
  });

  test.each([
    [8000, 64_000],
    [16_000, 160_000],
    [32_000, 320_000],
  ])("of mp3 at %i Hz is at most %i, as its description says", async (sample_rate, most) => {
    const sample = makeAudio("wav", { source: "anoisesrc=c=pink:a=0.5:seed=1", channels: 2 });
    const { facts } = await run(sample, { format: "mp3", bitrate: "512k", sample_rate });
    expect(facts.bitRate).toBe(most);
    expect(descriptionOf("bitrate")).toContain(` to ${most / 1000}k`);
    expect(bitRateArguments("mp3", 512_000, sample_rate, 2)).toEqual(["-b:a", `${most}`]);
  });

  test.each(["flac", "wav"])("has no effect on %s, as its description says", async (format) => {
    const facts = async (params: object) =>
      (await run(makeAudio("wav"), { format, ...params })).facts;
    expect(await facts({ bitrate: "8k" })).toEqual(await facts({}));
    expect(descriptionOf("bitrate")).toMatch(/Has no effect on flac and wav/);
  });

  test.each([
    ["8k", 44_100],
    ["512k", 8000],
  ])("%s at %i Hz is not an error in any lossy format", async (bitrate, sample_rate) => {
    const sample = makeAudio("wav", { duration: 0.3, channels: 2 });
    for (const format of ["mp3", "aac", "ogg", "opus"]) {
      await expect(run(sample, { format, bitrate, sample_rate })).resolves.toBeDefined();
    }
  });
});

describe("a rate that the format does not support", () => {
  test.each([
    ["mp3", { sample_rate: 96_000 }, /^The sample rate is 48000 Hz, .* 96000 Hz\.$/],
    ["m4a", { sample_rate: 40_000 }, /^The sample rate is 44100 Hz, .* 40000 Hz\.$/],
    ["mp3", { bitrate: "512k" }, /^The bit rate is 320000 bit\/s, .* 512000 bit\/s /],
    ["mp3", { bitrate: "100k" }, /^The bit rate is 96000 bit\/s, .* 100000 bit\/s /],
    [
      "opus",
      { bitrate: "512k" },
      /^The bit rate is 256000 bit\/s, .* for 1 channel at 48000 Hz\.$/,
    ],
    ["aac", { bitrate: "512k" }, /^The bit rate is 264600 bit\/s, /],
    ["ogg", { bitrate: "8k" }, /^The bit rate is 32000 bit\/s, /],
  ] as const)("is named in a warning: %s with %j", async (format, params, warning) => {
    const sample = makeAudio("wav", { duration: 0.3, sampleRate: 44_100 });
    const { warnings } = await run(sample, { format, ...params });
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });

  test.each([
    ["mp3", { sample_rate: 48_000, bitrate: "320k" }],
    ["ogg", { sample_rate: 96_000, bitrate: "512k" }],
    ["flac", { bitrate: "8k" }],
    ["mp3", {}],
  ])("is the only reason for a warning: %s with %j", async (format, params) => {
    const sample = makeAudio("wav", { duration: 0.3, sampleRate: 96_000 });
    expect((await run(sample, { format, ...params })).warnings ?? []).toEqual([]);
  });
});

describe("the duration of the output", () => {
  test.each(["ogg", "flac", "wav"])("is that of the samples: %s", async (format) => {
    const sample = makeAudio("wav", { duration: 1.234, sampleRate: 44_100 });
    const { output, facts } = await run(sample, { format });
    const frames = decodeAudio(output.path).length / facts.channels;
    expect(output.duration).toBeCloseTo(frames / facts.sampleRate, 5);
    expect(output.duration).toBeCloseTo(1.234, 4);
  });

  test.each(["flac", "wav"])("is not the estimate of an MP3 without header: %s", async (format) => {
    const sample = makeAudio("mp3", { duration: 4, options: ["-b:a", "64k", "-write_xing", "0"] });
    const { output, facts } = await run(sample, { format });
    const frames = decodeAudio(output.path).length / facts.channels;
    expect(output.duration).toBeCloseTo(frames / facts.sampleRate, 5);
  });
});

describe("lossless formats keep every bit", () => {
  test.each([
    ["wav", "flac", "pcm_s16le"],
    ["flac", "wav", "pcm_s16le"],
    ["wav", "flac", "pcm_s24le"],
    ["wav", "wav", "pcm_s32le"],
    ["wav", "wav", "pcm_f32le"],
  ] as const)("from %s to %s, of %s", async (from, format, codec) => {
    const options = from === "wav" ? ["-c:a", codec] : [];
    const sample = makeAudio(from, { source: "anoisesrc=c=white:a=0.9:seed=2", options });
    const { output } = await run(sample, { format });
    expect(decodeAudio(output.path)).toEqual(decodeAudio(sample.path));
  });
});

describe("invalid parameters", () => {
  test.each([
    [{ format: "mp4" }],
    [{ format: "mp3", channels: 3 }],
    [{ format: "mp3", channels: 9 }],
    [{ format: "mp3", sample_rate: 7999 }],
    [{ format: "mp3", sample_rate: 44_100.5 }],
    [{ format: "mp3", bitrate: "7k" }],
    [{ format: "mp3", bitrate: "513k" }],
    [{ format: "mp3", bitrate: "-1k" }],
    [{ format: "mp3", bitrate: "fast" }],
    [{ format: "mp3", bitrate: 192 }],
    [{ format: "mp3", quality: 1 }],
    [{}],
  ])("%j is rejected", (params) => {
    expect(convert.params.safeParse(params).success).toBe(false);
  });
});

test("audio with more channels than layouts exist for is an error that says what to do", async () => {
  const source = `aevalsrc=${Array.from({ length: 10 }, () => "sin(t)").join("|")}`;
  const sample = makeAudio("wav", { source, channels: 10 });
  await expect(run(sample, { format: "mp3" })).rejects.toMatchObject({
    code: "unsupported_type",
    message: expect.stringContaining("at most 8"),
  });
});
