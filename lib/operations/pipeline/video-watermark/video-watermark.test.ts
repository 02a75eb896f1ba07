import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { videoWatermark } from "#lib/operations/pipeline/video-watermark/index.ts";
import {
  audioHashes,
  boxOf,
  ffprobe,
  frameAt,
  h264,
  makeVideo,
  pixelAt,
  shortVideo,
  streamsOf,
  testPattern,
  tone,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

const gray = () =>
  makeVideo(
    "mp4",
    ...testPattern("color=gray:size=320x180:rate=10:duration=0.5", "color"),
    ...h264,
  );
const red = (size: string, alpha = 1) =>
  makeVideo(
    "png",
    ...testPattern(`color=red@${alpha}:size=${size},format=rgba`, "color"),
    "-frames:v",
    "1",
  );
const isRed = (r: number, g: number) => r > g + 60;

async function mark(
  params: Record<string, unknown>,
  watermark = red("80x40"),
  path = gray(),
  type: MediaTypeId = "mp4",
) {
  const files = {
    watermark: { path: watermark, type: watermark.endsWith("gif") ? "gif" : "png" },
  } as const;
  const { outputs } = await runOperation(videoWatermark, { path, type }, params, files);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const frame = frameAt(output.path, 0.3);
  return { ...output, frame, box: boxOf(frame, isRed) };
}

describe("the image", () => {
  it.each([
    ["top-left", 5, 5],
    ["top", 128, 5],
    ["top-right", 251, 5],
    ["left", 5, 74],
    ["center", 128, 74],
    ["right", 251, 74],
    ["bottom-left", 5, 143],
    ["bottom", 128, 143],
    ["bottom-right", 251, 143],
  ])("is at %s, 64 pixels wide", async (position, left, top) => {
    const { box } = await mark({ position, scale: 0.2 });
    expect(Math.abs((box?.left ?? -9) - left)).toBeLessThanOrEqual(2);
    expect(Math.abs((box?.top ?? -9) - top)).toBeLessThanOrEqual(2);
    expect(Math.abs((box?.right ?? -9) - left - 63)).toBeLessThanOrEqual(2);
    expect(Math.abs((box?.bottom ?? -9) - top - 31)).toBeLessThanOrEqual(2);
  });

  it("is at the bottom right with 15 % of the width by default", async () => {
    const { box } = await mark({});
    expect((box?.right ?? 0) - (box?.left ?? 0)).toBeCloseTo(47, -1);
    expect(box?.right).toBeGreaterThan(305);
    expect(box?.bottom).toBeGreaterThan(165);
  });

  it("is blended by its transparency and the opacity", async () => {
    const solid = pixelAt((await mark({ position: "center" })).frame, 160, 90);
    const faded = pixelAt((await mark({ position: "center", opacity: 0.5 })).frame, 160, 90);
    const clear = pixelAt((await mark({ position: "center" }, red("80x40", 0.25))).frame, 160, 90);
    const none = await mark({ position: "center", opacity: 0 });
    expect(solid[1]).toBeLessThan(20);
    expect(Math.abs(faded[1] - 64)).toBeLessThan(12);
    expect(Math.abs(clear[1] - 96)).toBeLessThan(12);
    expect(none.box).toBeUndefined();
  });

  it.each([
    ["higher than wide", "20x400"],
    ["a line", "1x600"],
  ])("fits into the frame if it is %s", async (_, size) => {
    const { box } = await mark({ scale: 1, position: "center" }, red(size));
    expect(box?.top).toBeLessThanOrEqual(1);
    expect(box?.bottom).toBeGreaterThanOrEqual(178);
  });

  it("may be as wide as the video", async () => {
    const { box } = await mark({ scale: 1, position: "bottom" });
    expect(box?.left).toBeLessThanOrEqual(1);
    expect(box?.right).toBeGreaterThanOrEqual(318);
  });

  it("is the first frame of an animation", async () => {
    const gif = makeVideo("gif", ...testPattern("size=80x40:rate=5:duration=1"));
    expect((await mark({}, gif)).box).toBeDefined();
  });
});

describe("the video", () => {
  it("becomes an MP4 with its audio", async () => {
    const webm = makeVideo(
      "webm",
      ...testPattern("size=96x54:rate=10:duration=1"),
      ...tone(1),
      "-c:v",
      "libvpx",
      "-c:a",
      "libopus",
    );
    const output = await mark({}, red("80x40"), webm, "webm");
    expect(ffprobe(output.path).format.format_name).toContain("mp4");
    expect(streamsOf(output.path, "video")[0]).toMatchObject({
      codec_name: "h264",
      pix_fmt: "yuv420p",
    });
    expect(audioHashes(output.path)).toEqual(audioHashes(webm));
  });

  it("has an upright watermark if players rotate it", async () => {
    const turned = makeVideo(
      "mp4",
      "-i",
      shortVideo(),
      "-c",
      "copy",
      "-metadata:s:v",
      "rotate=270",
    );
    const { frame, box } = await mark({ position: "top-left", scale: 0.5 }, red("80x40"), turned);
    expect([frame.width, frame.height]).toEqual([180, 320]);
    expect(box?.left).toBeLessThan(12);
    expect(box?.top).toBeLessThan(12);
  });
});
