import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { crop } from "#lib/operations/video/crop/index.ts";
import { partsOf, richVideo } from "#tests/samples/rich-video.ts";
import {
  audioHashes,
  frameAt,
  h264,
  makeVideo,
  shortVideo,
  ssim,
  testPattern,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function cut(
  path: string,
  [left, top, width, height]: readonly [number, number, number, number],
  type: MediaTypeId = "mp4",
) {
  const { outputs } = await runOperation(crop, { path, type }, { left, top, width, height });
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const frame = frameAt(output.path);
  expect([output.width, output.height]).toEqual([frame.width, frame.height]);
  return output;
}

/** The similarity of `result` to the region of a video, cut out of full chroma. */
const similarity = (path: string, region: string, result: string) =>
  ssim(path, result, `format=yuv444p,crop=${region},format=yuv420p`, "null");

describe("the region", () => {
  it.each<[[number, number, number, number], string, number, number]>([
    [[40, 20, 100, 80], "100:80:40:20", 100, 80],
    [[41, 21, 100, 80], "100:80:41:21", 100, 80],
    [[0, 0, 320, 180], "320:180:0:0", 320, 180],
    [[300, 160, 20, 20], "20:20:300:160", 20, 20],
    [[11, 8, 101, 51], "100:50:11:8", 100, 50],
  ])("%j is cut out of every frame", async (region, expected, width, height) => {
    const output = await cut(shortVideo(), region);
    expect([output.width, output.height]).toEqual([width, height]);
    expect(similarity(shortVideo(), expected, output.path)).toBeGreaterThan(0.97);
    expect(audioHashes(output.path)).toEqual(audioHashes(shortVideo()));
  });

  it("counts in pixels of the upright frame", async () => {
    const turned = makeVideo("mp4", "-i", shortVideo(), "-c", "copy", "-metadata:s:v", "rotate=90");
    const output = await cut(turned, [10, 200, 100, 100]);
    expect(similarity(turned, "100:100:10:200", output.path)).toBeGreaterThan(0.97);
  });

  it("counts in square pixels, as the video is shown", async () => {
    const path = makeVideo(
      "mp4",
      ...testPattern("size=160x180:rate=10:duration=0.5"),
      "-vf",
      "setsar=2/1",
      ...h264,
    );
    const output = await cut(path, [200, 0, 120, 180]);
    const expected = "scale=320:180,setsar=1,crop=120:180:200:0";
    expect(ssim(path, output.path, expected, "null")).toBeGreaterThan(0.97);
  });

  it("may be one pixel where the codec allows it", async () => {
    const path = makeVideo(
      "webm",
      ...testPattern("size=64x36:rate=10:duration=0.3"),
      "-c:v",
      "libvpx-vp9",
      "-deadline",
      "realtime",
    );
    expect(await cut(path, [5, 5, 1, 1], "webm")).toMatchObject({ width: 1, height: 1 });
  });
});

it("keeps everything else, upright", async () => {
  const output = await cut(richVideo(), [1, 3, 20, 32]);
  const expected = { ...partsOf(richVideo()), size: [20, 32], rotation: undefined };
  expect(partsOf(output.path)).toEqual(expected);
});

it.each<[number, number, number, number]>([
  [300, 0, 21, 10],
  [0, 171, 10, 10],
  [400, 400, 10, 10],
])("a region outside the frame is an error (%i, %i, %i, %i)", async (...region) => {
  const error = { code: "empty", message: expect.stringContaining("320×180") };
  await expect(cut(shortVideo(), region)).rejects.toMatchObject(error);
});

it.each([
  { left: -1, top: 0, width: 10, height: 10 },
  { left: 0, top: 0, width: 0, height: 10 },
  { left: 0, top: 0, width: 10 },
  { left: 0.5, top: 0, width: 10, height: 10 },
])("%j is rejected", (params) => {
  expect(crop.params.safeParse(params).success).toBe(false);
});
