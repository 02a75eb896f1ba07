import { readFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { thumbnailStrip } from "#lib/operations/video/thumbnail-strip/index.ts";
import { h264, makeVideo, testPattern } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function strip(path: string, params: Record<string, unknown> = {}) {
  const type = mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;
  const { outputs, result } = await runOperation(thumbnailStrip, { path, type }, params);
  const [output] = outputs;
  if (!output || outputs.length > 1) throw new Error("not one output");
  const image = sharp(readFileSync(output.path));
  const { width, height, format } = await image.metadata();
  return { ...output, width, height, format, image, result };
}

/** A video of which each frame has the luma 16 + 5 × its number, at `rate` frames/s. */
const counter = (extension = "mp4", rate = 10, ...options: string[]) => {
  const source = testPattern(`size=96x54:rate=${rate}:duration=${40 / rate}`, "color");
  const luma = "geq=lum='16+5*N':cb=128:cr=128";
  return makeVideo(extension, ...source, "-vf", luma, ...h264, "-qp", "4", ...options);
};

/** The numbers of the frames of `counter` in a strip. */
async function numbers(image: Sharp, count: number): Promise<number[]> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return Array.from({ length: count }, (_, index) => {
    const x = Math.floor(((index + 0.5) * info.width) / count);
    const value = data[(Math.floor(info.height / 2) * info.width + x) * info.channels + 1] ?? 0;
    return Math.round((value * 219) / 255 / 5);
  });
}

describe("the strip", () => {
  it("has the middle of each part, side by side", async () => {
    const { image, result, ...made } = await strip(counter(), { count: 8, width: 48 });
    expect(made).toMatchObject({ width: 8 * 48, height: 27, format: "jpeg", extension: "jpg" });
    expect(await numbers(image, 8)).toEqual([2, 7, 12, 17, 22, 27, 32, 37]);
    expect(result).toMatchObject({ width: 48, height: 27 });
    expect(result?.times).toEqual([0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75]);
  });

  it("has ten frames of 160 pixels by default", async () => {
    expect(await strip(counter())).toMatchObject({ width: 1600, height: 90 });
  });

  it("has the same frames if it seeks to each, as in a long video", async () => {
    // Two frames per minute: a step of 120 s.
    const path = counter("mkv", 1 / 30, "-g", "5", "-bf", "2");
    const { image } = await strip(path, { count: 10, width: 32 });
    expect(await numbers(image, 10)).toEqual([2, 6, 10, 14, 18, 22, 26, 30, 34, 38]);
  });

  it("repeats frames of a video that has fewer", async () => {
    const { image } = await strip(counter("mp4", 40), { count: 80, width: 16 });
    const found = await numbers(image, 80);
    expect(found).toEqual(Array.from({ length: 80 }, (_, index) => Math.floor(index / 2)));
  });

  it("is upright", async () => {
    const turned = makeVideo("mp4", "-i", counter(), "-c", "copy", "-metadata:s:v", "rotate=90");
    expect(await strip(turned, { count: 2, width: 54 })).toMatchObject({ width: 108, height: 96 });
  });
});

it("rejects a strip that is too wide for an image", () => {
  expect(thumbnailStrip.params.safeParse({ count: 100, width: 163 }).success).toBe(true);
  for (const bad of [{ count: 100, width: 164 }, { count: 101, width: 16 }, { count: 0 }]) {
    expect(thumbnailStrip.params.safeParse(bad).success).toBe(false);
  }
});
