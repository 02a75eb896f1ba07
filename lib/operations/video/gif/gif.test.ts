import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { gif } from "#lib/operations/video/gif/index.ts";
import { h264, makeVideo, ssim, testPattern, tone } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function convert(path: string, params: Record<string, unknown> = {}) {
  const type = mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;
  const { outputs, progress } = await runOperation(gif, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const metadata = await sharp(readFileSync(output.path), { animated: true }).metadata();
  const delays = metadata.delay ?? [];
  const seconds = delays.reduce((sum, delay) => sum + delay, 0) / 1000;
  return { ...output, ...metadata, delays, seconds, progress, path: output.path };
}

/** A frame as gray values. */
async function luma(path: string, page: number): Promise<number> {
  const { channels } = await sharp(path, { page }).removeAlpha().stats();
  return channels[1]?.mean ?? 0;
}

const pattern = () =>
  makeVideo("mp4", ...testPattern("size=320x180:rate=25:duration=3"), ...tone(3), ...h264);

/** A video of which each frame has the luma 16 + 5 × its number, at 10 frames/s. */
const counter = (extension = "mp4") => {
  const source = testPattern("size=96x54:rate=10:duration=4", "color");
  const luma = "geq=lum='16+5*N':cb=128:cr=128";
  return makeVideo(extension, ...source, "-vf", luma, ...h264, "-qp", "4");
};

/** Two slides of five seconds each, the second with the luma 116. */
const slideshow = () => {
  const source = testPattern("size=96x54:rate=1/5:duration=10", "color");
  return makeVideo(
    "mp4",
    ...source,
    "-vf",
    "geq=lum='16+100*N':cb=128:cr=128",
    ...h264,
    "-qp",
    "4",
  );
};

describe("the animation", () => {
  it("has the requested width, frames and duration", async () => {
    const made = await convert(pattern(), { duration: 2, width: 160, fps: 10 });
    expect(made).toMatchObject({
      format: "gif",
      width: 160,
      pageHeight: 90,
      pages: 20,
      duration: 2,
    });
    expect(made.delays).toEqual(Array(20).fill(100));
    expect(Math.max(...made.progress)).toBeGreaterThan(50);
  });

  it("keeps its duration if the frame time is no whole number of 10 ms", async () => {
    const made = await convert(pattern(), { duration: 2, width: 64, fps: 15 });
    expect(made.pages).toBe(30);
    expect(Math.abs(made.seconds - 2)).toBeLessThanOrEqual(0.02);
  });

  it.each([
    [0, 0],
    [1.5, 15],
    ["00:00:02", 20],
  ])("starts at %s", async (start, number) => {
    const made = await convert(counter(), { start, duration: 0.5, fps: 10 });
    const expected = (number * 5 * 255) / 219;
    expect(Math.abs((await luma(made.path, 0)) - expected)).toBeLessThan(3);
    expect(made.pages).toBe(5);
  });

  it("starts at the time in a format without an index", async () => {
    const made = await convert(counter("ts"), { start: 1.5, duration: 0.5, fps: 10 });
    expect(Math.abs((await luma(made.path, 0)) - (15 * 5 * 255) / 219)).toBeLessThan(3);
  });

  it.each([3.91, 3.95, 3.99, 3.999])("may start in the last frame, at %d s", async (start) => {
    const made = await convert(counter(), { start, duration: 1, fps: 10 });
    expect(made.pages).toBe(1);
    expect(Math.abs((await luma(made.path, 0)) - (39 * 5 * 255) / 219)).toBeLessThan(3);
  });

  it.each([
    [4, 3, [0, 1]],
    [6, 1, [1]],
    [7.6, 1, [1]],
    [9, 1, [1]],
  ])("shows the slides of its time, from %d s for %d s", async (start, duration, slides) => {
    const made = await convert(slideshow(), { start, duration, fps: 10 });
    const shown = [await luma(made.path, 0), await luma(made.path, (made.pages ?? 0) - 1)];
    for (const [index, slide] of [slides[0], slides.at(-1)].entries()) {
      expect(Math.abs((shown[index] ?? 0) - ((slide ?? 0) * 100 * 255) / 219)).toBeLessThan(3);
    }
    expect(made.seconds).toBeCloseTo(duration, 1);
  });

  it("ends with the video", async () => {
    const made = await convert(counter(), { start: 3, duration: 5, fps: 10 });
    expect(made).toMatchObject({ pages: 10 });
    expect(made.duration).toBeCloseTo(1, 2);
  });

  it("is not enlarged, and has no more frames than the video", async () => {
    expect(await convert(counter(), { fps: 50, duration: 1 })).toMatchObject({
      width: 96,
      pages: 10,
    });
  });

  it("looks like the video", async () => {
    const made = await convert(pattern(), { duration: 1, width: 320, fps: 25 });
    expect(ssim(made.path, pattern())).toBeGreaterThan(0.8);
  });

  it.each([
    [0, 0],
    [1, 1],
    [3, 3],
  ])("plays as often as requested (%i)", async (loop, expected) => {
    const made = await convert(counter(), { loop, duration: 0.5 });
    const extension = readFileSync(made.path).indexOf("NETSCAPE2.0");
    const repetitions = extension < 0 ? -1 : readFileSync(made.path).readUInt16LE(extension + 13);
    // The extension counts repetitions, and is absent if there are none.
    expect(repetitions === -1 ? 1 : repetitions === 0 ? 0 : repetitions + 1).toBe(expected);
  });

  it("is upright", async () => {
    const turned = makeVideo("mp4", "-i", pattern(), "-c", "copy", "-metadata:s:v", "rotate=90");
    const made = await convert(turned, { width: 90, duration: 0.3 });
    expect(made).toMatchObject({ width: 90, pageHeight: 160 });
  });

  it("keeps transparency", async () => {
    const source = testPattern(
      "color=red@0.0:size=64x36:rate=10:duration=0.5,format=yuva420p",
      "color",
    );
    const path = makeVideo("webm", ...source, "-c:v", "libvpx-vp9", "-deadline", "realtime");
    const made = await convert(path);
    const { data } = await sharp(made.path)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(0);
  });
});

it("rejects a start after the end, and values out of range", async () => {
  await expect(convert(counter(), { start: 4 })).rejects.toMatchObject({ code: "empty" });
  for (const bad of [{ fps: 60 }, { duration: 61 }, { width: 5000 }, { loop: -1 }, { start: -1 }]) {
    expect(gif.params.safeParse(bad).success).toBe(false);
  }
});
