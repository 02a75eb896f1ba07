import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { countCombs, interlacedVideo } from "#tests/samples/images/interlaced.ts";
import {
  frameAt,
  makeVideo,
  pixelAt,
  streamsOf,
  testPattern,
  videoFolder,
} from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

/** Interlaced, HDR and transparent videos, in the operations that have no such rows of their own. */

async function run(id: string, sample: Sample, params: Record<string, unknown> = {}) {
  const operation = operations.find((one) => one.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  const { outputs } = await runOperation(operation, sample, params);
  const output = outputs.find(({ extension }) => extension !== "m3u8") ?? outputs[0];
  if (!output) throw new Error("no output");
  return output;
}

/** A frame of a video, or of an image. */
async function frameOf(path: string, extension: string) {
  if (["mp4", "ts", "m4s"].includes(extension)) return frameAt(path, 0.08);
  const image = sharp(readFileSync(path), { page: 0 }).removeAlpha().toColorspace("srgb");
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

describe("an interlaced video", () => {
  test.each<[string, Record<string, unknown>]>([
    ["video/thumbnail", { time: 0.08, format: "png" }],
    ["video/gif", { duration: 0.3, width: 128, fps: 25 }],
    ["video/preview-clip", { start: 0, duration: 1 }],
    ["video/reverse", {}],
    ["video/framerate", { fps: 12 }],
  ])("is shown without combs by %s", async (id, params) => {
    const source = interlacedVideo();
    expect(streamsOf(source.path, "video")[0]?.field_order).toBe("tt");
    expect(countCombs(frameAt(source.path, 0.08))).toBeGreaterThan(200);
    const output = await run(id, source, params);
    expect(countCombs(await frameOf(output.path, output.extension))).toBeLessThan(20);
  });

  test("stays interlaced where frames stay whole", async () => {
    const output = await run("video/fade", interlacedVideo(), { in: 0.1, out: 0 });
    expect(streamsOf(output.path, "video")[0]?.field_order).toBe("tt");
  });
});

describe("an HDR video", () => {
  /** A red of 100 cd/m², whose values mean another color in SDR. */
  const hdr = (transfer: string, ...tags: string[]): Sample => {
    const red = testPattern("color=c=0x992200:size=64x36:rate=10:duration=0.3", "color").slice(
      0,
      2,
    );
    const inputs = [...red, "-i", "color=c=0x802010:size=64x36:rate=10:duration=0.3"];
    const codec = ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le"];
    const params = ["-x265-params", "log-level=error", "-color_trc", transfer, ...tags];
    return { path: makeVideo("mp4", ...inputs, ...codec, ...params), type: "mp4" };
  };
  const bt2020 = ["-color_primaries", "bt2020", "-colorspace", "bt2020nc"];
  const pixel = async (sample: Sample) => {
    const { path } = await run("video/thumbnail", sample, { time: 0, format: "png" });
    return pixelAt(await frameOf(path, "png"), 30, 18);
  };

  test.each(["smpte2084", "arib-std-b67"])(
    "%s is mapped if it has no other tags",
    async (curve) => {
      const complete = await pixel(hdr(curve, ...bt2020));
      const [red, green, blue] = await pixel(hdr(curve));
      for (const [index, value] of [red, green, blue].entries()) {
        expect(Math.abs(value - (complete[index] ?? 0))).toBeLessThan(8);
      }
    },
  );

  test("keeps its depth and its tags where it is not converted", async () => {
    const output = await run("video/speed", hdr("smpte2084", ...bt2020), { factor: 2 });
    expect(streamsOf(output.path, "video")[0]).toMatchObject({
      codec_name: "hevc",
      pix_fmt: "yuv420p10le",
      color_transfer: "smpte2084",
      color_primaries: "bt2020",
      color_space: "bt2020nc",
    });
  });
});

describe("a transparent video", () => {
  const clear = (): Sample => {
    const source = "color=red@0.0:size=64x36:rate=10:duration=0.3,format=yuva420p";
    const args = ["-f", "lavfi", "-i", source, "-c:v", "libvpx-vp9", "-deadline", "realtime"];
    return { path: makeVideo("webm", ...args), type: "webm" satisfies MediaTypeId };
  };

  test.each<[string, Record<string, unknown>]>([
    ["video/thumbnail", { time: 0, format: "jpeg" }],
    ["video/preview-clip", { start: 0, duration: 1 }],
  ])("is put on black by %s", async (id, params) => {
    const output = await run(id, clear(), params);
    const [red] = pixelAt(await frameOf(output.path, output.extension), 30, 18);
    expect(red).toBeLessThan(20);
  });

  const logo = join(videoFolder(), "logo.png");
  const lines = join(videoFolder(), "one-line.srt");
  writeFileSync(lines, "1\n00:00:00,000 --> 00:00:00,100\nx\n\n");

  test.each<[string, number, Record<string, unknown>, Record<string, Sample>]>([
    ["video/concat", 2, {}, {}],
    ["video/thumbnail-strip", 1, { count: 2, width: 64 }, {}],
    ["video/overlay-image", 1, { scale: 0.01 }, { image: { path: logo, type: "png" } }],
    ["video/subtitles", 1, { font_size: 6 }, { subtitles: { path: lines, type: "srt" } }],
  ])("is put on black by %s", async (id, count, params, files) => {
    await sharp({ create: { width: 4, height: 4, channels: 3, background: "white" } }).toFile(logo);
    const operation = operations.find((one) => one.id === id);
    if (!operation) throw new Error(`no operation ${id}`);
    const samples = Array.from({ length: count }, clear);
    const { outputs } = await runOperation(operation, samples, params, files);
    const [output] = outputs;
    const [red] = pixelAt(await frameOf(output?.path ?? "", output?.extension ?? ""), 30, 5);
    expect(red).toBeLessThan(20);
  });

  test.each(["video/speed", "video/framerate"])("stays transparent after %s", async (id) => {
    const params = id === "video/speed" ? { factor: 2 } : { fps: 5 };
    const output = await run(id, clear(), params);
    const { tags } = streamsOf(output.path, "video")[0] ?? {};
    expect(tags?.alpha_mode ?? tags?.ALPHA_MODE).toBe("1");
  });
});
