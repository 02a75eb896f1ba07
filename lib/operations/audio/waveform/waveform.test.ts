import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { waveform } from "#lib/operations/audio/waveform/index.ts";
import { decodeAudio, makeAudio } from "#tests/samples/audio.ts";
import { readPixels } from "#tests/samples/images/images.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

interface WaveformJson {
  readonly channels: number;
  readonly sample_rate: number;
  readonly samples_per_pixel: number;
  readonly bits: number;
  readonly length: number;
  readonly data: number[];
}

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(waveform, sample, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return { output, result };
}

async function readPeaks(sample: Sample, width: number): Promise<WaveformJson> {
  const { output, result } = await run(sample, { format: "json", width });
  const peaks: WaveformJson = JSON.parse(await readFile(output.path, "utf8"));
  const { data, ...properties } = peaks;
  expect(result).toMatchObject(properties);
  expect(data).toHaveLength(2 * peaks.length);
  return peaks;
}

/** The lowest and highest 16-bit sample in columns of `size` frames of `channels`. */
function expectedPeaks(samples: Float32Array, size: number, channels: number): number[] {
  const data: number[] = [];
  for (let start = 0; start < samples.length; start += size * channels) {
    const column = [...samples.subarray(start, start + size * channels)];
    const integers = column.map((value) => Math.round(value * 32_768));
    data.push(Math.min(...integers), Math.min(32_767, Math.max(...integers)));
  }
  return data;
}

describe("the peaks", () => {
  test.each([
    ["wav", 1, 100],
    ["flac", 2, 777],
    ["mp3", 2, 1920],
    ["wav", 6, 50],
  ] as const)(
    "of a %s with %i channels are those of its samples",
    async (type, channels, width) => {
      const source = "anoisesrc=c=pink:a=0.8:seed=6:r=44100";
      const options = type === "flac" ? ["-sample_fmt", "s16"] : [];
      const sample = makeAudio(type, { source, channels, options });
      const peaks = await readPeaks(sample, width);
      const samples = decodeAudio(sample.path);
      expect(peaks.samples_per_pixel).toBe(Math.ceil(samples.length / channels / width));
      expect(peaks.length).toBeLessThanOrEqual(width);
      const expected = expectedPeaks(samples, peaks.samples_per_pixel, channels);
      expect(peaks.data).toHaveLength(expected.length);
      const worst = peaks.data.reduce((most, value, index) => {
        return Math.max(most, Math.abs(value - (expected[index] ?? 0)));
      }, 0);
      // A lossy decoder gives floats, which are rounded once here and once there.
      expect(worst).toBeLessThanOrEqual(type === "mp3" ? 1 : 0);
      expect([peaks.bits, peaks.channels, peaks.sample_rate]).toEqual([16, 1, 44_100]);
    },
  );

  test("of fewer samples than columns are the samples", async () => {
    const sample = makeAudio("wav", {
      source: "sine=f=440:r=8000",
      duration: 0.01,
      sampleRate: 8000,
    });
    const peaks = await readPeaks(sample, 1920);
    expect([peaks.length, peaks.samples_per_pixel]).toEqual([80, 1]);
  });

  test("of 8-bit full scale do not overflow", async () => {
    const source = "aevalsrc='if(lt(t,0.5),-1,1)':s=8000";
    const options = ["-c:a", "pcm_f32le"];
    const peaks = await readPeaks(makeAudio("wav", { source, options, duration: 1 }), 10);
    expect([Math.min(...peaks.data), Math.max(...peaks.data)]).toEqual([-32_768, 32_767]);
  });
});

/** A level of a half in the first half, and silence in the second. */
const halves = "aevalsrc='if(lt(t,0.5),if(lt(mod(t,0.001),0.0005),0.5,-0.5),0)':s=44100";

describe("the PNG", () => {
  test("shows the peaks at their columns and heights", async () => {
    const sample = makeAudio("wav", { source: halves, duration: 1 });
    const { output } = await run(sample, { width: 200, height: 100, color: "#ff0000" });
    const { samples: data, width, height, channels } = await readPixels(output.path);
    expect([width, height, channels]).toEqual([200, 100, 4]);
    const colored = (x: number) =>
      Array.from({ length: 100 }, (_, y) => y).filter(
        (y) => (data[(y * 200 + x) * 4 + 3] ?? 0) > 200,
      );
    for (const x of [0, 50, 98]) {
      expect(colored(x)).toHaveLength(50);
      expect([colored(x)[0], colored(x).at(-1)]).toEqual([25, 74]);
    }
    for (const x of [102, 199]) expect(colored(x).length).toBeLessThanOrEqual(2);
    const middle = (50 * 200 + 20) * 4;
    expect([...data.subarray(middle, middle + 4)]).toEqual([255, 0, 0, 255]);
  });

  test("has a background", async () => {
    const sample = makeAudio("wav", { source: "anullsrc=cl=mono" });
    const { output } = await run(sample, { width: 64, height: 32, background: "#00ff0080" });
    const { samples: data } = await readPixels(output.path);
    expect([...data.subarray(0, 4)]).toEqual([0, 255, 0, 128]);
  });
});

test("the SVG has its size and one path", async () => {
  const { output } = await run(makeAudio("mp3"), { format: "svg", width: 300, height: 80 });
  expect(output).toMatchObject({ width: 300, height: 80, extension: "svg" });
  const text = await readFile(output.path, "utf8");
  expect(text).toContain('viewBox="0 0 300 80"');
  expect(text.match(/<path /g)).toHaveLength(1);
});

describe("a video", () => {
  test("is drawn by its audio", async () => {
    const { output } = await run(makeAudio("mp4", { video: true }), { width: 50, height: 20 });
    expect(output).toMatchObject({ width: 50, height: 20 });
  });

  test("without audio is rejected", async () => {
    const sample = makeAudio("mp4", { video: true, options: ["-an"] });
    await expect(run(sample)).rejects.toMatchObject({ code: "unsupported_type" });
  });
});

test.each([
  [{ width: 0 }],
  [{ width: 8193 }],
  [{ height: 4097 }],
  [{ format: "gif" }],
  [{ color: "red" }],
])("%j is rejected", (params) => {
  expect(waveform.params.safeParse(params).success).toBe(false);
});
