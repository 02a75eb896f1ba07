import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { rotate } from "#lib/operations/video/rotate/index.ts";
import {
  audioHashes,
  ffprobe,
  frameAt,
  makeVideo,
  shortVideo,
  ssim,
  streamsOf,
  testPattern,
  videoPackets,
  videoWithText,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function turn(path: string, angle: number, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(rotate, { path, type }, { angle });
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const { width, height } = frameAt(output.path);
  expect([output.width, output.height]).toEqual([width, height]);
  return output;
}

const filters = { 90: "transpose=1", 180: "hflip,vflip", 270: "transpose=2" };
const rows = [90, 180, 270] as const;

const packets = (path: string) => [videoPackets(path), ...audioHashes(path)];

describe("in MP4 and MOV", () => {
  it.each(rows)("%i degrees are a tag, and every packet is copied", async (angle) => {
    const output = await turn(shortVideo(), angle);
    expect(packets(output.path)).toEqual(packets(shortVideo()));
    expect(ssim(shortVideo(), output.path, filters[angle], "null")).toBe(1);
  });

  it("a rotation is added to that of the file", async () => {
    const turned = makeVideo("mov", "-i", shortVideo(), "-c", "copy", "-metadata:s:v", "rotate=90");
    const upright = await turn(turned, 90, "mov");
    expect(ssim(shortVideo(), upright.path)).toBe(1);
    expect(streamsOf(upright.path, "video")[0]?.side_data_list).toBeUndefined();
    const halfTurn = await turn(turned, 270, "mov");
    expect(ssim(shortVideo(), halfTurn.path, "hflip,vflip", "null")).toBe(1);
  });
});

describe("in other formats", () => {
  it.each(rows)("%i degrees are encoded", async (angle) => {
    const output = await turn(videoWithText(), angle, "mkv");
    expect(ssim(videoWithText(), output.path, filters[angle], "null")).toBeGreaterThan(0.98);
    expect(audioHashes(output.path)).toEqual(audioHashes(videoWithText()));
    expect(streamsOf(output.path, "subtitle")).toHaveLength(1);
    expect(ffprobe(output.path).chapters).toHaveLength(2);
  });

  it("the shape of the pixels is turned, too", async () => {
    const path = makeVideo(
      "avi",
      ...testPattern("size=64x36:rate=10:duration=0.3"),
      "-vf",
      "setsar=4/3",
      "-c:v",
      "mpeg4",
    );
    const output = await turn(path, 90, "avi");
    expect(streamsOf(output.path, "video")[0]).toMatchObject({ sample_aspect_ratio: "3:4" });
  });
});

it("other angles are rejected", () => {
  for (const angle of [0, 45, 360, -90, "90"]) {
    expect(rotate.params.safeParse({ angle }).success).toBe(false);
  }
});
