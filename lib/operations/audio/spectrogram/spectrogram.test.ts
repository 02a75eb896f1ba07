import { describe, expect, test } from "vitest";
import { spectrogram } from "#lib/operations/audio/spectrogram/index.ts";
import { makeAudio } from "#tests/samples/audio.ts";
import { readPixels } from "#tests/samples/images/images.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(spectrogram, sample, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return { output, result, pixels: await readPixels(output.path) };
}

type Image = Awaited<ReturnType<typeof run>>["pixels"];

/** Sum of the channels of a pixel. */
function light({ samples: data, width, channels }: Image, x: number, y: number): number {
  const start = (y * width + x) * channels;
  return (data[start] ?? 0) + (data[start + 1] ?? 0) + (data[start + 2] ?? 0);
}

/** The frequency (Hz) of the brightest pixel in the column `x`. */
function brightestFrequency(image: Image, x: number, maxFrequency: number): number {
  const rows = Array.from({ length: image.height }, (_, y) => light(image, x, y));
  const y = rows.indexOf(Math.max(...rows));
  return ((image.height - 1 - y) / image.height) * maxFrequency;
}

/** A tone of 1 kHz, then 5 kHz, then 12 kHz, for the same time each. */
const steps = (seconds: number) =>
  `aevalsrc='0.5*sin(2*PI*t*if(lt(t,${seconds / 3}),1000,if(lt(t,${(2 * seconds) / 3}),5000,12000)))':s=44100`;

describe.each([
  ["windows that overlap", 2, 300],
  // More than one window of 512 samples for each column.
  ["several windows in a column", 30, 300],
  ["more columns than samples", 0.02, 2000],
])("%s", (_, duration, width) => {
  test("show each frequency at its time", async () => {
    const sample = makeAudio("wav", { source: steps(duration), duration });
    const { pixels, result } = await run(sample, { width, height: 256 });
    expect([pixels.width, pixels.height]).toEqual([width, 256]);
    expect(result).toEqual({ duration, max_frequency: 22_050 });
    if (duration < 1) return;
    for (const [share, frequency] of [
      [0.1, 1000],
      [0.3, 1000],
      [0.4, 5000],
      [0.6, 5000],
      [0.72, 12_000],
      [0.95, 12_000],
    ] as const) {
      const found = brightestFrequency(pixels, Math.round(share * width), 22_050);
      expect(Math.abs(found - frequency)).toBeLessThan(200);
    }
  });
});

test("a tone has no lines over all frequencies, as windows that are cut off have", async () => {
  const { pixels } = await run(makeAudio("wav", { duration: 2 }), { width: 200, height: 128 });
  const upper = Array.from({ length: 196 }, (_, x) => light(pixels, x + 2, 20));
  expect(Math.max(...upper)).toBeLessThan(60);
});

test("silence is black", async () => {
  const { pixels } = await run(makeAudio("wav", { source: "anullsrc=cl=mono" }), { width: 64 });
  expect(pixels.height).toBe(512);
  expect(
    pixels.samples.every((value, index) => value < 8 || (pixels.channels === 4 && index % 4 === 3)),
  ).toBe(true);
});

test("the audio of a video and 5.1 channels are drawn", async () => {
  for (const sample of [makeAudio("mp4", { video: true }), makeAudio("flac", { channels: 6 })]) {
    const { pixels } = await run(sample, { width: 100, height: 64 });
    expect(brightestFrequency(pixels, 50, 22_050)).toBeLessThan(800);
  }
});

test("a video without audio is rejected", async () => {
  const sample = makeAudio("mp4", { video: true, options: ["-an"] });
  await expect(run(sample)).rejects.toMatchObject({ code: "unsupported_type" });
});

test.each([
  [{ width: 15 }],
  [{ height: 15 }],
  [{ width: 8193 }],
  [{ height: 4097 }],
  [{ scale: 1 }],
])("%j is rejected", (params) => {
  expect(spectrogram.params.safeParse(params).success).toBe(false);
});
