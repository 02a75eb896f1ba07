import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { overlayImage } from "#lib/operations/video/overlay-image/index.ts";
import {
  audioHashes,
  boxOf,
  frameAt,
  framesOf,
  frameTimes,
  h264,
  makeVideo,
  shortVideo,
  ssim,
  testPattern,
  videoFolder,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

/** A red PNG of 80 × 40. */
async function redImage(alpha = 1): Promise<string> {
  const path = join(videoFolder(), `red-${alpha}.png`);
  const background = { r: 255, g: 0, b: 0, alpha };
  await sharp({ create: { width: 80, height: 40, channels: 4, background } }).toFile(path);
  return path;
}

async function overlay(path: string, params: Record<string, unknown> = {}, image?: string) {
  const files = { image: { path: image ?? (await redImage()), type: "png" } as const };
  const { outputs } = await runOperation(overlayImage, { path, type: "mp4" }, params, files);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

const gray = (...options: string[]) =>
  makeVideo(
    "mp4",
    ...testPattern("color=gray:size=320x180:rate=25:duration=1", "color"),
    ...h264,
    ...options,
  );

const isRed = (r: number, g: number, b: number) => r > 170 && g < 80 && b < 80;
const redBox = (path: string, seconds = 0) => boxOf(frameAt(path, seconds), isRed);

describe("the image", () => {
  it.each<[Record<string, unknown>, [number, number, number, number]]>([
    [{}, [120, 70, 199, 109]],
    [{ x: 20, y: 30 }, [20, 30, 99, 69]],
    [{ x: 20 }, [20, 0, 99, 39]],
    [{ x: -40, y: 160 }, [0, 160, 39, 179]],
    [{ position: "top-left", scale: 0.5 }, [5, 5, 164, 84]],
    [{ position: "bottom-right" }, [235, 135, 314, 174]],
    [{ scale: 1, x: 0, y: 0 }, [0, 0, 319, 159]],
  ])("is at its place in its size (%j)", async (params, [left, top, right, bottom]) => {
    const box = redBox((await overlay(gray(), params)).path);
    const found = [box?.left, box?.top, box?.right, box?.bottom];
    for (const [index, expected] of [left, top, right, bottom].entries()) {
      expect(Math.abs((found[index] ?? -99) - expected)).toBeLessThanOrEqual(2);
    }
  });

  it("may be outside the frame", async () => {
    expect(redBox((await overlay(gray(), { x: 400, y: 0 })).path)).toBeUndefined();
  });

  it("is on exactly the frames of its time", async () => {
    const { path } = await overlay(gray(), { start: 0.2, end: "00:00:00.6" });
    const shown = framesOf(path, 320, 180).map((frame) => boxOf(frame, isRed) !== undefined);
    expect(shown).toEqual(Array.from({ length: 25 }, (_, index) => index >= 5 && index < 15));
  });

  it("is there until the end of the video by default", async () => {
    const { path } = await overlay(gray(), { start: 0.5 });
    const frames = framesOf(path, 320, 180);
    const shown = [10, 13, 24].map((at) => frames[at] && boxOf(frames[at], isRed) !== undefined);
    expect(shown).toEqual([false, true, true]);
  });

  it("is as opaque as requested, and keeps its transparency", async () => {
    const red = async (params: Record<string, unknown>, image?: string) => {
      const frame = frameAt((await overlay(gray(), params, image)).path);
      return frame.data[(90 * 320 + 160) * 3] ?? 0;
    };
    // Half of red, 255, and half of gray, 128.
    expect(Math.abs((await red({ opacity: 0.5 })) - 191)).toBeLessThan(8);
    expect(Math.abs((await red({}, await redImage(0.5))) - 191)).toBeLessThan(8);
  });

  it("is upright on a rotated video", async () => {
    const turned = makeVideo("mp4", "-i", gray(), "-c", "copy", "-metadata:s:v", "rotate=90");
    const { path, width, height } = await overlay(turned, { x: 10, y: 20, scale: 0.5 });
    expect([width, height]).toEqual([180, 320]);
    const box = redBox(path);
    expect(Math.abs((box?.left ?? 0) - 10)).toBeLessThanOrEqual(2);
    expect(Math.abs((box?.right ?? 0) - 99)).toBeLessThanOrEqual(2);
    expect(Math.abs((box?.bottom ?? 0) - 64)).toBeLessThanOrEqual(2);
  });
});

it("keeps the rest of the frame, the frame times and the audio", async () => {
  const { path } = await overlay(shortVideo(), { position: "top-left" });
  expect(ssim(shortVideo(), path, "crop=320:80:0:100")).toBeGreaterThan(0.98);
  expect(frameTimes(path)).toEqual(frameTimes(shortVideo()));
  expect(audioHashes(path)).toEqual(audioHashes(shortVideo()));
});

it("rejects a start after the end of the video, and contradicting parameters", async () => {
  await expect(overlay(gray(), { start: 5 })).rejects.toMatchObject({ code: "empty" });
  for (const bad of [{ x: 1, position: "top" }, { start: 2, end: 1 }, { scale: 1.1 }]) {
    expect(overlayImage.params.safeParse(bad).success).toBe(false);
  }
});
