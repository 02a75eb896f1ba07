import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { compress } from "#lib/operations/video/compress/index.ts";
import {
  audioHashes,
  ffprobe,
  frameTimes,
  h264,
  makeVideo,
  ssim,
  streamsOf,
  testPattern,
  tone,
  videoPackets,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function shrink(path: string, params: Record<string, unknown>, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(compress, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return { ...output, bytes: statSync(output.path).size };
}

const noise = "noise=alls=20:allf=t";

/** A video that needs many bytes. */
const detailed = (size: string, seconds: number) => {
  const inputs = [...testPattern(`size=${size}:rate=25:duration=${seconds}`), ...tone(seconds)];
  return makeVideo("mp4", ...inputs, "-vf", noise, ...h264, "-crf", "18", "-c:a", "aac");
};

/** About 1 MB. */
const large = () => detailed("320x180", 2);

const small = () => detailed("160x90", 1);

describe("max_bytes", () => {
  it.each([50_000, 125_000, 350_000])(
    "%d is reached within 2 percent, never exceeded",
    async (limit) => {
      const output = await shrink(large(), { max_bytes: limit });
      expect(statSync(large()).size).toBeGreaterThan(limit);
      expect(output.bytes).toBeLessThanOrEqual(limit);
      expect(output.bytes).toBeGreaterThanOrEqual(limit * 0.98);
      const codecs = ffprobe(output.path).streams.map(({ codec_name }) => codec_name);
      expect(codecs).toEqual(["h264", "aac"]);
      expect(Math.abs(Number(ffprobe(output.path).format.duration) - 2)).toBeLessThan(0.05);
    },
  );

  it("makes frames smaller if it is very small", async () => {
    const output = await shrink(large(), { max_bytes: 15_000 });
    expect(output.bytes).toBeLessThanOrEqual(15_000);
    expect(output.width).toBeLessThan(320);
    expect((output.width ?? 0) / (output.height ?? 1)).toBeCloseTo(16 / 9, 1);
  });

  it("that the file already has copies it", async () => {
    const output = await shrink(large(), { max_bytes: 10_000_000 });
    expect(videoPackets(output.path)).toEqual(videoPackets(large()));
    expect(audioHashes(output.path)).toEqual(audioHashes(large()));
  });

  it("that cannot be reached is an error", async () => {
    const path = makeVideo(
      "mp4",
      ...testPattern("size=64x36:rate=25:duration=20"),
      ...tone(20),
      ...h264,
      "-c:a",
      "aac",
    );
    await expect(shrink(path, { max_bytes: 10_000 })).rejects.toMatchObject({ code: "too_large" });
  });

  it("applies to rotated 10-bit HDR video with irregular times, as upright SDR", async () => {
    const tags = [
      "-color_primaries",
      "bt2020",
      "-color_trc",
      "smpte2084",
      "-colorspace",
      "bt2020nc",
    ];
    const x265 = ["-c:v", "libx265", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p10le"];
    const gaps = ["-vf", `${noise},select='lt(n,20)+gt(n,30)'`, "-fps_mode", "vfr"];
    const flat = makeVideo(
      "mp4",
      ...testPattern("size=160x90:rate=25:duration=2"),
      ...gaps,
      ...x265,
      "-crf",
      "12",
      ...tags,
    );
    const turned = makeVideo("mp4", "-i", flat, "-c", "copy", "-metadata:s:v", "rotate=90");
    const output = await shrink(turned, { max_bytes: 40_000 });
    expect(output.bytes).toBeLessThanOrEqual(40_000);
    expect(output.bytes).toBeGreaterThanOrEqual(39_200);
    expect(output).toMatchObject({ width: 90, height: 160 });
    expect(streamsOf(output.path, "video")[0]).toMatchObject({
      pix_fmt: "yuv420p",
      color_transfer: "bt709",
    });
    const wanted = frameTimes(flat);
    const found = frameTimes(output.path);
    expect(found).toHaveLength(wanted.length);
    for (const [index, time] of found.entries()) expect(time).toBeCloseTo(wanted[index] ?? -1, 2);
  });
});

describe("quality", () => {
  it("low is smaller than medium, medium than high, and high looks best", async () => {
    const low = await shrink(small(), { quality: "low" });
    const medium = await shrink(small(), {});
    const high = await shrink(small(), { quality: "high" });
    expect(low.bytes).toBeLessThan(medium.bytes);
    expect(medium.bytes).toBeLessThan(high.bytes);
    expect(high.bytes).toBeLessThan(statSync(small()).size);
    expect(ssim(small(), high.path)).toBeGreaterThan(ssim(small(), low.path));
    expect(ssim(small(), low.path)).toBeGreaterThan(0.5);
  });

  it("copies an MP4 that would become larger", async () => {
    const path = makeVideo("mp4", "-i", small(), "-c:v", "libx264", "-crf", "40", "-an");
    const output = await shrink(path, { quality: "high" });
    expect(output.bytes).toBeLessThanOrEqual(statSync(path).size * 1.05);
  });

  it("is an MP4 for other inputs, with two channels", async () => {
    const path = makeVideo(
      "mkv",
      ...testPattern("size=64x36:rate=10:duration=1"),
      ...tone(1),
      "-c:v",
      "ffv1",
      "-c:a",
      "flac",
      "-ac",
      "6",
    );
    const output = await shrink(path, { quality: "low" }, "mkv");
    expect(streamsOf(output.path, "video")[0]?.codec_name).toBe("h264");
    expect(streamsOf(output.path, "audio")[0]).toMatchObject({ codec_name: "aac", channels: 2 });
  });
});

it.each([{ quality: "best" }, { max_bytes: 5000 }, { max_bytes: 100_000, quality: "low" }])(
  "%j is rejected",
  (params) => {
    expect(compress.params.safeParse(params).success).toBe(false);
  },
);
