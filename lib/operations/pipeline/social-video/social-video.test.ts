import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fillFrame } from "#lib/operations/pipeline/social-video/fill-frame.ts";
import { socialVideo } from "#lib/operations/pipeline/social-video/index.ts";
import { chooseVideoRate, maxBytes } from "#lib/operations/pipeline/social-video/platforms.ts";
import { measureLoudness } from "#tests/samples/audio.ts";
import {
  boxOf,
  ffprobe,
  frameAt,
  h264,
  makeVideo,
  pixelAt,
  streamsOf,
  testPattern,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function make(path: string, params: Record<string, unknown>) {
  const { outputs, warnings } = await runOperation(socialVideo, { path, type: "mp4" }, params);
  const [output] = outputs;
  if (!output || outputs.length > 1) throw new Error("not one output");
  return { ...output, warnings };
}

/** Makes a white video with 5 frames/s. */
function white(size: string, seconds: number, ...options: string[]): string {
  const source = testPattern(`white:size=${size}:rate=5:duration=${seconds}`, "color");
  return makeVideo("mp4", ...source, ...options, ...h264);
}

const noise = (seconds: number, volume: string) => [
  "-f",
  "lavfi",
  "-i",
  `anoisesrc=c=pink:a=0.5:seed=4:d=${seconds},volume=${volume}`,
];

it("a reel is whole on a blurred background, loud enough, cut, and plays everywhere", async () => {
  const tracks = ["-map", "0", "-map", "1", "-map", "2", "-c:a", "aac", "-ac", "2"];
  const inputs = [...noise(3, "-20dB"), ...noise(3, "-6dB"), ...tracks];
  const bars = "drawbox=x=0:w=40:color=red:t=fill";
  const path = white("320x180", 3, ...inputs, "-vf", bars);
  const output = await make(path, { platform: "reel", max_duration: 2 });
  expect(output).toMatchObject({ width: 1080, height: 1920, extension: "mp4" });
  const [video] = streamsOf(output.path, "video");
  expect(video).toMatchObject({ codec_name: "h264", profile: "High", pix_fmt: "yuv420p" });
  // One track, as networks play no other.
  const audio = streamsOf(output.path, "audio");
  expect(audio.map(({ codec_name }) => codec_name)).toEqual(["aac"]);
  expect(output.warnings).toEqual(["Only the main audio track was kept."]);
  expect(Math.abs(Number(ffprobe(output.path).format.duration) - 2)).toBeLessThan(0.1);
  const { loudness, truePeak } = measureLoudness(output.path);
  expect(Math.abs(loudness + 14)).toBeLessThan(0.5);
  expect(truePeak).toBeLessThanOrEqual(-1);
  const frame = frameAt(output.path);
  const red = boxOf({ ...frame, height: 1200 }, (r, g, b) => r > 200 && g < 60 && b < 60);
  // 40 of 320 pixels at the left of 1080; sharp edges only in the middle.
  expect(Math.abs((red?.right ?? 0) - 134)).toBeLessThan(4);
  const middle = { ...frame, data: frame.data.subarray(660 * 1080 * 3), height: 600 };
  expect(boxOf(middle, (r, g, b) => r > 240 && g < 20 && b < 20)?.count).toBeGreaterThan(60_000);
  const steps = Array.from({ length: 1078 }, (_, x) =>
    Math.abs(pixelAt(frame, x, 100)[1] - pixelAt(frame, x + 1, 100)[1]),
  );
  expect(Math.max(...steps)).toBeLessThan(20);
  const bytes = readFileSync(output.path);
  expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
});

it("an upright video that is shorter, silent or without audio is not changed in length", async () => {
  const turned = makeVideo(
    "mp4",
    "-i",
    white("320x180", 0.6),
    "-c",
    "copy",
    "-metadata:s:v",
    "rotate=90",
  );
  const output = await make(turned, { platform: "story" });
  expect(output).toMatchObject({ width: 1080, height: 1920 });
  expect(streamsOf(output.path, "audio")).toEqual([]);
  expect(Number(ffprobe(output.path).format.duration)).toBeCloseTo(0.6, 1);
  // Its ratio is that of the frame: no background.
  expect(boxOf(frameAt(output.path), (...pixel) => Math.min(...pixel) > 240)?.count).toBe(
    1080 * 1920,
  );
  const silent = white("64x64", 0.6, "-f", "lavfi", "-i", "anullsrc=d=0.6", "-c:a", "aac");
  const square = await make(silent, { platform: "square" });
  expect(square).toMatchObject({ width: 1080, height: 1080 });
  expect(streamsOf(square.path, "audio")).toHaveLength(1);
});

describe("the frame", () => {
  const landscape = { width: 1920, height: 1080 };
  it.each([
    [{ width: 1280, height: 720 }, "crop=1920:1080"],
    [{ width: 1850, height: 1000 }, "crop=1920:1080"],
    [{ width: 720, height: 480 }, "overlay"],
    [{ width: 1280, height: 534 }, "overlay"],
    [{ width: 90, height: 160 }, "overlay"],
  ])("of %j is filled by %s", (source, filter) => {
    expect(fillFrame(source, landscape).join(",")).toContain(filter);
  });
});

describe("the size", () => {
  it.each([1, 60, 90, 600, 1200])("of %d s is bound by the bit rate", (seconds) => {
    const rate = chooseVideoRate(seconds) ?? 0;
    expect(rate).toBeGreaterThanOrEqual(400_000);
    expect(((rate + 160_000) * seconds) / 8).toBeLessThan(maxBytes);
  });

  it("of a video that is too long is an error that says what to do", async () => {
    const path = makeVideo(
      "mp4",
      ...testPattern("white:size=16x16:rate=1/10:duration=1500", "color"),
      ...h264,
    );
    const made = make(path, { platform: "landscape" });
    await expect(made).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("max_duration"),
    });
  });
});

it.each([{}, { platform: "tiktok" }, { platform: "reel", max_duration: 0 }])(
  "%j is rejected",
  (params) => {
    expect(socialVideo.params.safeParse(params).success).toBe(false);
  },
);
