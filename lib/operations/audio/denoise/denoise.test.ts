import { describe, expect, test } from "vitest";
import { denoise } from "#lib/operations/audio/denoise/index.ts";
import { decodeAudio, hashStreams, makeAudio, readAudio } from "#tests/samples/audio.ts";
import { makeVideo, streamsOf } from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs } = await runOperation(denoise, sample, params);
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

/** Level of samples in dB. */
function level(samples: Float32Array): number {
  const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
  return 10 * Math.log10(power + 1e-12);
}

/**
 * Makes half a second of noise, then speech with noise, as a file of `type` made of the clean
 * speech.
 */
function makeSpeech(options: { rate: number; channels?: number }) {
  const { rate, channels = 1 } = options;
  const text = "flite=text='This recording is a sample of speech with noise.':voice=slt";
  const clean = makeAudio("wav", {
    source: `${text},aresample=${rate},adelay=1000:all=1,volume=0.9`,
    duration: 3,
    sampleRate: rate,
    channels,
  });
  const noise = `anoisesrc=c=white:a=0.02:r=${rate}:d=3:seed=7`;
  const graph = `[1]aformat=channel_layouts=${channels === 2 ? "stereo" : "mono"}`;
  const noisy = makeVideo(
    "wav",
    "-i",
    clean.path,
    "-f",
    "lavfi",
    "-i",
    noise,
    "-lavfi",
    `${graph}[n];[0][n]amix=normalize=0:duration=first`,
  );
  return { clean: decodeAudio(clean.path), noisy: { path: noisy, type: "wav" as const } };
}

/** The samples by which `after` is later than `before`, at the highest correlation. */
function findDelay(before: Float32Array, after: Float32Array, from: number, to: number): number {
  let best = { delay: 0, sum: Number.NEGATIVE_INFINITY };
  for (let delay = -2400; delay <= 2400; delay += 4) {
    let sum = 0;
    for (let index = from; index < to; index += 3) {
      sum += (before[index] ?? 0) * (after[index + delay] ?? 0);
    }
    if (sum > best.sum) best = { delay, sum };
  }
  return best.delay;
}

/** The languages of the audio tracks, by ffprobe. */
function readLanguages(path: string): string[] {
  return streamsOf(path, "audio").map(({ tags }) => tags?.language ?? "");
}

describe.each(["afftdn", "voice"])("%s", (model) => {
  test.each([44_100, 16_000])(
    "at %i Hz lowers noise, keeps speech and is in time",
    async (rate) => {
      const { clean, noisy } = makeSpeech({ rate });
      const { samples, facts } = await run(noisy, { model });
      expect(facts.sampleRate).toBe(rate);
      expect(samples).toHaveLength(decodeAudio(noisy.path).length);
      const before = decodeAudio(noisy.path);
      const pause = [0.3 * rate, 0.9 * rate] as const;
      expect(level(samples.subarray(...pause)) - level(before.subarray(...pause))).toBeLessThan(
        -14,
      );
      const speech = [1.2 * rate, 2.8 * rate] as const;
      expect(
        Math.abs(level(samples.subarray(...speech)) - level(clean.subarray(...speech))),
      ).toBeLessThan(2);
      expect(Math.abs(findDelay(clean, samples, ...speech)) / rate).toBeLessThan(0.003);
    },
  );

  test("lowers noise by the strength at most", async () => {
    const { noisy } = makeSpeech({ rate: 48_000 });
    const pause = [0.3 * 48_000, 0.9 * 48_000] as const;
    const before = level(decodeAudio(noisy.path).subarray(...pause));
    const { samples } = await run(noisy, { model, strength: 6 });
    const change = level(samples.subarray(...pause)) - before;
    expect(change).toBeLessThan(-4);
    expect(change).toBeGreaterThan(-7.5);
  });

  test("keeps format, tags, cover art and channels", async () => {
    const tags = { title: "Grüße 東京" };
    const sample = makeAudio("mp3", { channels: 2, tags, cover: true });
    const { facts, samples } = await run(sample, { model });
    const before = readAudio(sample.path);
    expect([facts.codec, facts.sampleRate, facts.channels]).toEqual(["mp3", 44_100, 2]);
    expect([facts.otherCodecs, facts.bitRate]).toEqual([["mjpeg"], before.bitRate]);
    expect(facts.tags).toMatchObject(tags);
    const difference = samples.length - decodeAudio(sample.path).length;
    expect(Math.abs(difference) / 2 / 44_100).toBeLessThan(0.05);
  });

  test.each(["ogg", "opus", "m4a"] as const)("keeps the tags of %s", async (type) => {
    const tags = { title: "Grüße 東京" };
    const { facts } = await run(makeAudio(type, { tags, duration: 0.5 }), { model });
    expect(facts.tags).toMatchObject(tags);
  });

  test("keeps the channels apart", async () => {
    const source = "aevalsrc='0.3*sin(2*PI*300*t)*between(t,0.2,0.8)|0':s=48000";
    const { samples } = await run(makeAudio("wav", { source, channels: 2, sampleRate: 48_000 }), {
      model,
    });
    const right = samples.filter((_, index) => index % 2 === 1);
    expect(level(right)).toBeLessThan(-80);
  });

  test("keeps the layout of 5.1 and 24 bits", async () => {
    const options = ["-sample_fmt", "s32", "-bits_per_raw_sample", "24"];
    const sample = makeAudio("flac", { channels: 6, duration: 0.5, options });
    const { facts } = await run(sample, { model });
    expect([facts.layout, facts.sampleFormat]).toEqual([readAudio(sample.path).layout, "s32"]);
  });

  test("keeps the video, and all tracks with their language", async () => {
    const options = [
      "-map",
      "0:a",
      "-metadata:s:a:0",
      "language=deu",
      "-metadata:s:a:1",
      "language=fra",
    ];
    const sample = makeAudio("mkv", { video: true, options });
    const { path } = await run(sample, { model });
    expect(hashStreams(path).packets[0]).toEqual(hashStreams(sample.path).packets[0]);
    expect(readLanguages(path)).toEqual(["deu", "fra"]);
  });

  test("of a video without audio is rejected", async () => {
    const sample = makeAudio("mp4", { video: true, options: ["-an"] });
    await expect(run(sample, { model })).rejects.toMatchObject({ code: "unsupported_type" });
  });
});

test.each([[{ model: "arnndn" }], [{ strength: 0 }], [{ strength: 61 }], [{ noise: 1 }]])(
  "%j is rejected",
  (params) => {
    expect(denoise.params.safeParse(params).success).toBe(false);
  },
);
