import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { thumbnail } from "#lib/operations/video/thumbnail/index.ts";
import { frameAt, h264, makeVideo, testPattern, tone, videoFolder } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function save(path: string, params: Record<string, unknown> = {}) {
  const type = mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;
  const { outputs, result } = await runOperation(thumbnail, { path, type }, params);
  const [output] = outputs;
  if (!output || outputs.length > 1) throw new Error("not one output");
  const image = sharp(readFileSync(output.path));
  const { width, height, format, hasAlpha } = await image.metadata();
  return { ...output, width, height, format, hasAlpha, image, time: Number(result?.time) };
}

/** A video of which each frame has the luma 16 + 2 × its number, at 10 frames/s. */
function counter(extension = "mp4", ...options: string[]): string {
  const source = testPattern("size=96x54:rate=10:duration=8", "color");
  const luma = "geq=lum='16+2*N':cb=128:cr=128";
  return makeVideo(extension, ...source, "-vf", luma, ...h264, "-qp", "4", ...options);
}

/** The number of the frame of `counter` that an image shows. */
async function frameNumber(image: Sharp): Promise<number> {
  const { channels } = await image.stats();
  return Math.round(((channels[1]?.mean ?? 0) * 219) / 255 / 2);
}

describe("the time", () => {
  it.each([
    [0, 0],
    [2.5, 25],
    [2.59, 25],
    ["00:00:03.05", 30],
    [7.95, 79],
  ])("is that of the frame on screen (%s → %i)", async (time, expected) => {
    const { image } = await save(counter(), { time, format: "png" });
    expect(await frameNumber(image)).toBe(expected);
  });

  it.each(["mkv", "ts", "flv"])("is exact in %s", async (extension) => {
    const { image } = await save(counter(extension), { time: 4.21, format: "png" });
    expect(await frameNumber(image)).toBe(42);
  });

  it("is exact with B-frames and distant key frames", async () => {
    const path = counter("mp4", "-bf", "3", "-g", "1000", "-preset", "medium");
    expect(await frameNumber((await save(path, { time: 6.6, format: "png" })).image)).toBe(66);
  });

  it("may be after the last frame of a video with longer audio", async () => {
    const audio = ["-i", counter(), ...tone(10), "-c:v", "copy", "-c:a", "aac"];
    const { image } = await save(makeVideo("mp4", ...audio), { time: 9.5, format: "png" });
    expect(await frameNumber(image)).toBe(79);
  });

  it("after the end is an error", async () => {
    const saving = save(counter(), { time: 8.5 });
    await expect(saving).rejects.toMatchObject({
      code: "empty",
      message: expect.stringContaining("`time`"),
    });
  });
});

describe("the default frame", () => {
  const scene = testPattern("size=160x90:rate=10", "mandelbrot");
  const choose = (filter: string, ...options: string[]) =>
    save(makeVideo("mp4", ...scene, "-t", "6", "-vf", filter, ...h264, ...options));

  it("is not black", async () => {
    const { time } = await choose("drawbox=t=fill:c=black:enable='lt(t,4)'", "-g", "10");
    expect(time).toBeGreaterThanOrEqual(4);
  });

  it("is not black if all frames depend on the first", async () => {
    const { time } = await choose("drawbox=t=fill:c=black:enable='lt(t,4)'", "-g", "1000");
    expect(time).toBeGreaterThanOrEqual(4);
  });

  it("is not blurred", async () => {
    const { time } = await choose("gblur=sigma=6:enable='lt(t,2.5)'", "-g", "5");
    expect(time).toBeGreaterThanOrEqual(2.5);
  });

  it("is always the same", async () => {
    const first = await choose("null");
    const second = await choose("null");
    expect(readFileSync(first.path).equals(readFileSync(second.path))).toBe(true);
  });

  it("of a black video is black", async () => {
    const black = testPattern("color=black:size=64x36:rate=10:duration=1", "color");
    const { image } = await save(makeVideo("mp4", ...black, ...h264));
    expect((await image.stats()).channels[0]?.max).toBeLessThan(8);
  });
});

describe("the image", () => {
  it.each([
    ["jpeg", "jpg"],
    ["png", "png"],
    ["webp", "webp"],
  ])("is %s of the requested width", async (format, extension) => {
    const colors = testPattern("size=320x180:rate=10:duration=1");
    const path = makeVideo("mp4", ...colors, ...h264);
    const saved = await save(path, { time: 0, width: 160, format });
    expect(saved).toMatchObject({ width: 160, height: 90, format, extension });
  });

  it("has the colors of a video in BT.709", async () => {
    const red = testPattern("color=red:size=64x36:rate=10:duration=1", "color");
    const matrix = "scale=out_color_matrix=bt709,format=yuv420p";
    const tags = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"];
    const path = makeVideo("mp4", ...red, "-vf", matrix, ...h264, ...tags);
    for (const format of ["jpeg", "png", "webp"]) {
      const { image } = await save(path, { format, time: 0 });
      const { channels } = await image.stats();
      expect(channels[0]?.mean).toBeGreaterThan(248);
      expect(channels[1]?.mean).toBeLessThan(8);
    }
  });

  it("is upright and has square pixels", async () => {
    const plain = makeVideo(
      "mp4",
      ...testPattern("size=96x54:rate=10:duration=1"),
      ...h264,
      "-aspect",
      "32:9",
    );
    const turned = makeVideo("mp4", "-i", plain, "-c", "copy", "-metadata:s:v", "rotate=90");
    expect(await save(plain)).toMatchObject({ width: 192, height: 54 });
    const frame = frameAt(turned);
    expect([frame.width, frame.height]).toEqual([54, 96]);
    expect(await save(turned)).toMatchObject({ width: 27, height: 96 });
  });

  it.each([
    ["png", true],
    ["webp", true],
    ["jpeg", false],
  ])("keeps transparency in %s: %s", async (format, hasAlpha) => {
    const source = testPattern(
      "color=red@0.0:size=64x36:rate=10:duration=0.5,format=yuva420p",
      "color",
    );
    const path = makeVideo("webm", ...source, "-c:v", "libvpx-vp9", "-deadline", "realtime");
    const { image, ...saved } = await save(path, { format, time: 0 });
    expect(saved.hasAlpha).toBe(hasAlpha);
    if (hasAlpha) expect((await image.stats()).channels[3]?.max).toBeLessThan(10);
  });

  it("is SDR if the video is HDR", async () => {
    const tags = [
      "-color_primaries",
      "bt2020",
      "-color_trc",
      "smpte2084",
      "-colorspace",
      "bt2020nc",
    ];
    // PQ white of about 100 cd/m² is at half of the signal level.
    const gray = testPattern("color=gray:size=64x36:rate=10:duration=0.5", "color");
    const codec = ["-c:v", "libx265", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p10le"];
    const { image } = await save(makeVideo("mp4", ...gray, ...codec, ...tags), { time: 0 });
    expect((await image.stats()).channels[0]?.mean).toBeGreaterThan(150);
  });

  it("may be of an odd size", async () => {
    const odd = testPattern("size=97x55:rate=10:duration=0.5", "testsrc");
    const path = makeVideo("mkv", ...odd, "-c:v", "ffv1", "-pix_fmt", "yuv444p");
    expect(await save(path, { format: "jpeg" })).toMatchObject({ width: 97, height: 55 });
  });

  it("is not larger than formats support", async () => {
    const path = makeVideo("mkv", ...testPattern("size=16x1600:rate=10:duration=0.2"), ...h264);
    expect(await save(path, { width: 8192, format: "webp" })).toMatchObject({
      width: 164,
      height: 16_383,
    });
  });
});

it("rejects audio and damaged videos", async () => {
  const cover = makeVideo("m4a", ...tone(1), "-c:a", "aac");
  const run = (path: string) => runOperation(thumbnail, { path, type: "mp4" });
  await expect(run(cover)).rejects.toMatchObject({ code: "unsupported_type" });
  const damaged = makeVideo("mkv", ...testPattern("size=64x36:rate=10:duration=1"), ...h264);
  const bytes = readFileSync(damaged);
  const path = join(videoFolder(), "damaged.mkv");
  writeFileSync(path, bytes.fill(0, bytes.indexOf(Buffer.from("1f43b675", "hex")) + 30));
  await expect(run(path)).rejects.toMatchObject({ code: "corrupt" });
});
