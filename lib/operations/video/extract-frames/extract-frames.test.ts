import { readFileSync } from "node:fs";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { extractFrames } from "#lib/operations/video/extract-frames/index.ts";
import { h264, makeVideo, testPattern, tone } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function extract(path: string, params: Record<string, unknown> = {}) {
  const type = mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;
  const { outputs, result } = await runOperation(extractFrames, { path, type }, params);
  const images = outputs.map((output) => sharp(readFileSync(output.path)));
  const numbers = await Promise.all(images.map(frameNumber));
  return { outputs, images, numbers, times: result?.times };
}

/** A video of which each frame has the luma 16 + 5 × its number, at `rate` frames/s. */
const counter = (extension = "mp4", rate = 10, ...options: string[]) => {
  const source = testPattern(`size=96x54:rate=${rate}:duration=${40 / rate}`, "color");
  const luma = "geq=lum='16+5*N':cb=128:cr=128";
  return makeVideo(extension, ...source, "-vf", luma, ...h264, "-qp", "4", ...options);
};

async function frameNumber(image: Sharp): Promise<number> {
  const { channels } = await image.stats();
  return Math.round(((channels[1]?.mean ?? 0) * 219) / 255 / 5);
}

const range = (count: number, step = 1, first = 0) =>
  Array.from({ length: count }, (_, index) => first + index * step);

describe("the frames", () => {
  it.each<[string, Record<string, unknown>, number[]]>([
    ["at 2 frames/s", { fps: 2 }, range(8, 5)],
    ["all", { fps: 10 }, range(40)],
    ["every 0.7 s", { every: 0.7 }, range(6, 7)],
    ["every hour", { every: 3600 }, [0]],
    ["four", { count: 4 }, range(4, 10, 5)],
    ["ten by default", {}, range(10, 4, 2)],
  ])("are those on screen: %s", async (_, params, expected) => {
    const { numbers, outputs, times } = await extract(counter(), { ...params, format: "png" });
    expect(numbers).toEqual(expected);
    const digits = `${expected.length}`.length;
    expect(outputs.map(({ suffix }) => suffix)).toEqual(
      expected.map((_number, index) => `-${`${index + 1}`.padStart(digits, "0")}`),
    );
    expect(times).toHaveLength(expected.length);
  });

  it.each([
    ["mp4", 30],
    ["mkv", 30],
    ["mp4", 12],
    ["mkv", 60],
  ])("are all frames of %s at its own rate of %d frames/s", async (extension, fps) => {
    const { numbers } = await extract(counter(extension, fps), { fps, format: "png" });
    expect(numbers).toEqual(range(40));
  });

  it("are the same if each is sought, as in a long video", async () => {
    const path = counter("mkv", 1 / 30, "-g", "5", "-bf", "2");
    const { numbers } = await extract(path, { every: 90, format: "png" });
    expect(numbers).toEqual(range(14, 3));
  });

  it("are at their times in a video with varying frame times", async () => {
    // Frames at 0, 0.1, 2.0 and 3.9 s.
    const select = "select='eq(n,0)+eq(n,1)+eq(n,20)+eq(n,39)'";
    const path = makeVideo("mkv", "-i", counter(), "-vf", select, "-fps_mode", "vfr", ...h264);
    const { numbers } = await extract(path, { every: 0.5, format: "png" });
    expect(numbers.slice(0, 7)).toEqual([0, 1, 1, 1, 20, 20, 20]);
  });

  it("end with the video, even if the audio is longer", async () => {
    const audio = ["-i", counter(), ...tone(9), "-c:v", "copy", "-c:a", "aac"];
    const { numbers } = await extract(makeVideo("mp4", ...audio), { fps: 1 });
    expect(numbers).toHaveLength(4);
  });
});

it.each([
  ["jpeg", "jpg"],
  ["png", "png"],
  ["webp", "webp"],
])("the images are %s of the requested width", async (format, extension) => {
  const { outputs, images } = await extract(counter(), { count: 2, format, width: 48 });
  for (const image of images) {
    expect(await image.metadata()).toMatchObject({ format, width: 48, height: 27 });
  }
  expect(outputs[0]).toMatchObject({ extension, width: 48, height: 27 });
});

it("rejects more frames than a job can have", async () => {
  await expect(extract(counter("mkv", 1 / 30), { fps: 1 })).rejects.toMatchObject({
    code: "too_complex",
    message: expect.stringContaining("1200"),
  });
});

it.each([[{ fps: 1, count: 2 }], [{ every: 1, count: 2 }], [{ fps: 0 }], [{ count: 1001 }]])(
  "rejects %j",
  (params) => {
    expect(extractFrames.params.safeParse(params).success).toBe(false);
  },
);
