import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { aspectRatio } from "#lib/operations/video/aspect-ratio/index.ts";
import {
  audioHashes,
  boxOf,
  frameAt,
  h264,
  makeVideo,
  pixelAt,
  shortVideo,
  ssim,
  streamsOf,
  testPattern,
  videoPackets,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function change(path: string, params: Record<string, unknown>, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(aspectRatio, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const frame = frameAt(output.path);
  expect([output.width, output.height]).toEqual([frame.width, frame.height]);
  return { ...output, frame };
}

describe("the ratio", () => {
  // The source is 320 × 180.
  it.each([
    [{ ratio: "1:1" }, 320, 320],
    [{ ratio: "9:16" }, 320, 570],
    [{ ratio: "2.39:1" }, 432, 180],
    [{ ratio: "1:1", mode: "crop" }, 180, 180],
    [{ ratio: "9:16", mode: "crop" }, 100, 180],
    [{ ratio: "2:1", mode: "crop" }, 320, 160],
    [{ ratio: "1:1", mode: "blur" }, 320, 320],
    [{ ratio: "21:9", mode: "blur" }, 420, 180],
  ])("is as %j says, and the content keeps its size", async (params, width, height) => {
    const output = await change(shortVideo(), params);
    expect([output.width, output.height]).toEqual([width, height]);
    const w = Math.min(width, 320);
    const h = Math.min(height, 180);
    const middle = `crop=${w}:${h}:(iw-${w})/2:(ih-${h})/2`;
    expect(ssim(shortVideo(), output.path, middle)).toBeGreaterThan(0.97);
    expect(audioHashes(output.path)).toEqual(audioHashes(shortVideo()));
  });

  it("is that of the upright frame in square pixels", async () => {
    const turned = makeVideo("mp4", "-i", shortVideo(), "-c", "copy", "-metadata:s:v", "rotate=90");
    expect(await change(turned, { ratio: "1:1" })).toMatchObject({ width: 320, height: 320 });
    const wide = makeVideo(
      "mp4",
      ...testPattern("size=160x180:rate=10:duration=0.3"),
      "-vf",
      "setsar=2/1",
      ...h264,
    );
    expect(await change(wide, { ratio: "1:1" })).toMatchObject({ width: 320, height: 320 });
  });

  it("copies the packets if it is already right", async () => {
    const output = await change(shortVideo(), { ratio: "16:9", mode: "blur" });
    expect(videoPackets(output.path)).toEqual(videoPackets(shortVideo()));
    expect(audioHashes(output.path)).toEqual(audioHashes(shortVideo()));
  });
});

const white = () =>
  makeVideo(
    "mp4",
    ...testPattern("color=white:size=320x180:rate=10:duration=0.3", "color"),
    ...h264,
  );

describe("the border", () => {
  it.each([
    [{}, [0, 0, 0]],
    [{ color: "#f00" }, [255, 0, 0]],
    [{ color: "0x0000ff" }, [0, 0, 255]],
  ])("has the color of %j", async (params, color) => {
    const { frame } = await change(white(), { ratio: "1:1", ...params });
    for (const y of [0, 60, 260, 319]) {
      for (const [channel, value] of pixelAt(frame, 160, y).entries()) {
        expect(Math.abs(value - (color[channel] ?? 0))).toBeLessThan(8);
      }
    }
    expect(boxOf(frame, (...pixel) => Math.min(...pixel) > 240)).toMatchObject({
      top: 70,
      bottom: 249,
    });
  });

  it.each([
    ["yuv420p", "tv", "bt709"],
    ["yuvj420p", "pc", "bt709"],
    ["yuv420p", "tv", "smpte170m"],
  ])("has its color in any color space: %s %s %s", async (pixels, range, matrix) => {
    const scale = `scale=out_color_matrix=${matrix}:out_range=${range},format=${pixels}`;
    const gray = testPattern("color=gray:size=32x18:rate=10:duration=0.3", "color");
    const tags = ["-colorspace", matrix, "-color_range", range];
    const path = makeVideo("mp4", ...gray, "-vf", scale, "-c:v", "libx264", ...tags);
    const { frame } = await change(path, { ratio: "1:1", color: "#00ff00" });
    const [red, green, blue] = pixelAt(frame, 16, 2);
    expect(green).toBeGreaterThan(247);
    expect(Math.max(red, blue)).toBeLessThan(8);
    for (const value of pixelAt(frame, 16, 16)) expect(Math.abs(value - 128)).toBeLessThan(8);
  });

  it("is a blurred copy of the video", async () => {
    const { frame } = await change(shortVideo(), { ratio: "1:2", mode: "blur" });
    const rows = [20, 60, 560, 620];
    const steps = rows.flatMap((y) =>
      Array.from({ length: 300 }, (_, x) =>
        Math.abs(pixelAt(frame, x, y)[0] - pixelAt(frame, x + 1, y)[0]),
      ),
    );
    // Smooth, but not of one color.
    expect(Math.max(...steps)).toBeLessThan(20);
    expect(
      new Set(rows.flatMap((y) => [0, 100, 200, 319].map((x) => String(pixelAt(frame, x, y)))))
        .size,
    ).toBeGreaterThan(4);
  });
});

it("blur keeps 10 bits and color tags", async () => {
  const tags = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"];
  const path = makeVideo(
    "mp4",
    ...testPattern("size=96x54:rate=10:duration=0.3"),
    "-c:v",
    "libx265",
    "-x265-params",
    "log-level=error",
    "-pix_fmt",
    "yuv420p10le",
    ...tags,
  );
  const { outputs } = await runOperation(
    aspectRatio,
    { path, type: "mp4" },
    { ratio: "1:1", mode: "blur" },
  );
  expect(streamsOf(outputs[0]?.path ?? "", "video")[0]).toMatchObject({
    pix_fmt: "yuv420p10le",
    color_transfer: "smpte2084",
    width: 96,
    height: 96,
  });
});

it("a result that is too large is an error", async () => {
  await expect(change(shortVideo(), { ratio: "100:1" })).rejects.toMatchObject({
    code: "too_complex",
  });
});

it.each([{}, { ratio: "16" }, { ratio: "1:1", mode: "stretch" }, { ratio: "1:1", color: "red" }])(
  "%j is rejected",
  (params) => {
    expect(aspectRatio.params.safeParse(params).success).toBe(false);
  },
);
