import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { normalize } from "#lib/operations/audio/normalize/index.ts";
import {
  type AudioRecipe,
  decodeAudio,
  hashStreams,
  makeAudio,
  measureLoudness,
  readAudio,
} from "#tests/samples/audio.ts";
import { videoPackets } from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

interface LoudnessResult {
  readonly integrated_lufs: number | null;
  readonly true_peak_dbtp: number | null;
  readonly loudness_range_lu: number | null;
}

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(normalize, sample, params);
  const path = outputs[0]?.path ?? "";
  // The first test checks the shape of the result.
  return { path, result: result as unknown as { before: LoudnessResult; after: LoudnessResult } };
}

const noise = "anoisesrc=c=pink:a=0.3:seed=3";
/** Quiet noise with a click at full scale each third of a second: gain alone would clip. */
const clicks =
  "aevalsrc='0.02*(random(0)-0.5)+0.9*lt(mod(t,0.33),0.0008)*sin(2*PI*2500*t)':s=44100";

function makeSpeech(type: MediaTypeId): Sample {
  const source = "amovie=public/samples/inputs/speech.mp3";
  return makeAudio(type, { source, duration: 4, sampleRate: 24_000 });
}

describe("the format is kept", () => {
  const types: readonly MediaTypeId[] = ["mp3", "aac", "m4a", "ogg", "opus", "flac", "wav"];
  test.each(types)("%s reaches −14 LUFS, with its rate, channels and tags", async (type) => {
    const tags = { title: "Grüße 東京", artist: "Ann" };
    const sample = makeAudio(type, { source: noise, channels: 2, tags });
    const { path, result } = await run(sample);
    const before = readAudio(sample.path);
    const after = readAudio(path);
    expect([after.codec, after.container]).toEqual([before.codec, before.container]);
    expect(after.sampleRate).toBe(before.sampleRate);
    expect(after.channels).toBe(2);
    if (type !== "aac") expect(after.tags).toMatchObject(tags);
    const measured = measureLoudness(path);
    expect(Math.abs(measured.loudness + 14)).toBeLessThan(0.5);
    expect(measured.truePeak).toBeLessThanOrEqual(-1);
    const distances = [
      (result.after.integrated_lufs ?? 0) - measured.loudness,
      (result.after.true_peak_dbtp ?? 0) - measured.truePeak,
      (result.before.integrated_lufs ?? 0) - measureLoudness(sample.path).loudness,
    ];
    for (const distance of distances) expect(Math.abs(distance)).toBeLessThanOrEqual(0.1);
    const seconds = (file: string, rate: number) => decodeAudio(file).length / 2 / rate;
    const longer = seconds(path, after.sampleRate) - seconds(sample.path, before.sampleRate);
    expect(Math.abs(longer)).toBeLessThan(0.05);
  });

  test.each([
    ["wav", "pcm_s24le"],
    ["wav", "pcm_f32le"],
    ["m4a", "alac"],
  ] as const)("%s of %s keeps its codec", async (type, codec) => {
    const { path } = await run(makeAudio(type, { source: noise, options: ["-c:a", codec] }));
    expect(readAudio(path).codec).toBe(codec);
  });

  test("cover art is kept", async () => {
    const { path } = await run(makeAudio("mp3", { source: noise, cover: true }));
    expect(readAudio(path).otherCodecs).toEqual(["mjpeg"]);
  });
});

describe("loudness and peak", () => {
  const rows: [string, AudioRecipe, { target_lufs?: number; true_peak?: number }][] = [
    ["louder, by gain alone", { source: "sine=f=440" }, { target_lufs: -16 }],
    ["quieter", { source: noise }, { target_lufs: -35 }],
    ["above the peak, with a limiter", { source: clicks, duration: 2 }, { target_lufs: -18 }],
    ["to the minimum", { source: "sine=f=440" }, { target_lufs: -69 }],
    ["with a low peak", { source: noise }, { target_lufs: -20, true_peak: -9 }],
  ];
  test.each(rows)("%s", async (_, recipe, params) => {
    const { path } = await run(makeAudio("wav", recipe), params);
    const measured = measureLoudness(path);
    expect(Math.abs(measured.loudness - (params.target_lufs ?? -14))).toBeLessThan(0.5);
    expect(measured.truePeak).toBeLessThanOrEqual(params.true_peak ?? -1);
  });

  test("a lossy codec does not raise the peak above the limit", async () => {
    const { path } = await run(makeAudio("mp3", { source: clicks, duration: 2 }), {
      target_lufs: -16,
    });
    expect(measureLoudness(path).truePeak).toBeLessThanOrEqual(-1);
  });

  // LAME and low bit rates add peaks of several dB to audio that a limiter flattens.
  test.each([
    ["mp3", -8, -9],
    ["mp3", -5, -8.5],
    ["m4a", -5, -9.1],
    ["opus", -5, -9],
    ["ogg", -7, -9.8],
  ] as const)("speech as %s at %f LUFS is loud and below the peak", async (type, lufs, least) => {
    const { path } = await run(makeSpeech(type), { target_lufs: lufs });
    const measured = measureLoudness(path);
    expect(measured.truePeak).toBeLessThanOrEqual(-1);
    expect(measured.loudness).toBeGreaterThan(least);
  });

  test("the peak has priority over the loudness", async () => {
    const sample = makeAudio("wav", { source: "sine=f=440" });
    const { path, result } = await run(sample, { target_lufs: -5, true_peak: -9 });
    expect(measureLoudness(path).truePeak).toBeLessThanOrEqual(-9);
    expect(result.after.integrated_lufs).toBeLessThan(-9);
  });

  test("gain alone changes only the level", async () => {
    const sample = makeAudio("wav", { source: noise, options: ["-c:a", "pcm_f32le"] });
    const { path } = await run(sample, { target_lufs: -30 });
    const before = decodeAudio(sample.path);
    const after = decodeAudio(path);
    const gain = (after[1000] ?? 0) / (before[1000] ?? 1);
    const worst = after.reduce((most, value, index) => {
      return Math.max(most, Math.abs(value - gain * (before[index] ?? 0)));
    }, 0);
    expect(worst).toBeLessThan(1e-5);
  });
});

describe("silence", () => {
  test.each([
    ["digital silence", "anullsrc=cl=mono", null],
    ["audio below the gate of −70 LUFS", "sine=f=440,volume=-70dB", expect.any(Number)],
  ])("%s is not changed", async (_, source, peak) => {
    const sample = makeAudio("wav", { source });
    const { path, result } = await run(sample);
    const nothing = { integrated_lufs: null, true_peak_dbtp: peak, loudness_range_lu: null };
    expect(result).toEqual({ before: nothing, after: nothing });
    expect(await readFile(path)).toEqual(await readFile(sample.path));
  });
});

describe("a video", () => {
  test.each(["mp4", "mov", "mkv", "webm", "avi", "mpegts"] as const)(
    "%s keeps its video packets",
    async (type) => {
      const sample = makeAudio(type, { source: noise, video: true });
      const { path } = await run(sample);
      expect(Math.abs(measureLoudness(path).loudness + 14)).toBeLessThan(0.5);
      expect(videoPackets(path)).toEqual(videoPackets(sample.path));
    },
  );

  test("has all audio tracks at the target", async () => {
    const options = ["-map", "0:a", "-filter:a:1", "volume=-20dB"];
    const sample = makeAudio("mkv", { source: noise, video: true, options });
    const { path } = await run(sample);
    for (const track of [0, 1]) {
      expect(Math.abs(measureLoudness(path, track).loudness + 14)).toBeLessThan(0.5);
    }
  });

  test("without audio is rejected", async () => {
    const sample = makeAudio("mp4", { video: true, options: ["-an"] });
    await expect(run(sample)).rejects.toMatchObject({ code: "unsupported_type" });
  });

  test("with silent audio is not changed", async () => {
    const sample = makeAudio("mp4", { source: "anullsrc=cl=mono", video: true });
    expect(hashStreams((await run(sample)).path)).toEqual(hashStreams(sample.path));
  });
});

describe("invalid parameters", () => {
  test.each([
    [{ target_lufs: -71 }],
    [{ target_lufs: -4.9 }],
    [{ true_peak: 0.1 }],
    [{ true_peak: -9.1 }],
    [{ target_lufs: "-14" }],
    [{ lufs: -14 }],
  ])("%j is rejected", (params) => {
    expect(normalize.params.safeParse(params).success).toBe(false);
  });
});
