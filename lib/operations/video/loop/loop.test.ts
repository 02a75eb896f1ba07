import { expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { loop } from "#lib/operations/video/loop/index.ts";
import { flashTimes, flashVideo } from "#tests/samples/av-sync.ts";
import {
  audioHashes,
  ffprobe,
  frameTimes,
  h264,
  makeVideo,
  sampleVideo,
  slideshow,
  streamsOf,
  testPattern,
  videoPackets,
  videoWithText,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function repeat(path: string, count: number, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(loop, { path, type }, { count });
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

it.each<[MediaTypeId, string, string[]]>([
  ["mp4", "mp4", ["-c", "copy"]],
  ["mkv", "mkv", ["-c", "copy"]],
  ["webm", "webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"]],
  ["avi", "avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]],
  ["mpeg", "mpg", ["-c:v", "mpeg2video", "-c:a", "mp2"]],
])("repeats every packet (%s)", async (type, extension, options) => {
  const path = makeVideo(extension, "-i", sampleVideo(), "-t", "1", ...options);
  const output = await repeat(path, 3, type);
  const once = videoPackets(path);
  expect(videoPackets(output.path)).toEqual([...once, ...once, ...once]);
  const [source = []] = audioHashes(path);
  const [audio = []] = audioHashes(output.path);
  const known = new Set(source);
  expect(audio.every((hash) => known.has(hash))).toBe(true);
  // A packet that is half in the next repetition is left out.
  expect(audio.length).toBeGreaterThanOrEqual(3 * (source.length - 2));
  expect(Math.abs(Number(ffprobe(output.path).format.duration) - 3)).toBeLessThan(0.2);
  expect(output.duration).toBeCloseTo(3, 0);
});

it("has frames at a constant rate, over the ends of the repeated video", async () => {
  const times = frameTimes((await repeat(sampleVideo(), 2)).path);
  expect(times).toHaveLength(100);
  for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / 25, 2);
});

it("keeps audio with the video in every repetition", async () => {
  const source = flashVideo("mp4", 0.5, 1);
  const output = await repeat(source, 5);
  const last = makeVideo("mkv", "-ss", "4", "-i", output.path, "-c:v", "ffv1", "-c:a", "flac");
  const { light, beep } = flashTimes(last);
  expect(Math.abs(light - 0.5)).toBeLessThan(0.021);
  expect(Math.abs(beep - light)).toBeLessThan(0.02);
});

it("keeps rotation and a missing audio track", async () => {
  const path = makeVideo("mp4", ...testPattern("size=64x36:rate=10:duration=0.5"), ...h264);
  const turned = makeVideo("mp4", "-i", path, "-c", "copy", "-metadata:s:v", "rotate=90");
  const output = await repeat(turned, 2);
  expect(output).toMatchObject({ width: 36, height: 64 });
  expect(streamsOf(output.path, "video")[0]?.side_data_list).toHaveLength(1);
  expect(streamsOf(output.path, "audio")).toHaveLength(0);
});

it.each(["mp4", "mkv"] as const)(
  "a slideshow starts again when its last slide ends (%s)",
  async (type) => {
    const path = slideshow(type, [0, 4, 5, 19], 19.04);
    const once = frameTimes(path);
    const output = await repeat(path, 2, type);
    const times = frameTimes(output.path);
    expect(times).toHaveLength(8);
    // A container of milliseconds may start with the priming of audio.
    const expected = [...once, ...once.map((time) => time + 19.04)];
    for (const [index, time] of times.entries()) {
      expect(Math.abs(time - (expected[index] ?? 0))).toBeLessThan(0.05);
    }
    expect(Math.abs((output.duration ?? 0) - 38.08)).toBeLessThan(0.1);
  },
);

it("the last frame is held while audio plays on", async () => {
  const path = slideshow("mp4", [0, 4, 5], 12);
  const output = await repeat(path, 2);
  expect(frameTimes(output.path).map((time) => Math.round(time * 10) / 10)).toEqual([
    0, 4, 5, 12, 16, 17,
  ]);
  const [source = []] = audioHashes(path);
  expect(audioHashes(output.path)[0]?.length).toBeGreaterThanOrEqual(2 * (source.length - 2));
  expect(output.duration).toBeCloseTo(24, 1);
});

it("a video in 1/600 s with reordered frames has a constant rate", async () => {
  const reordered = [...h264, "-bf", "2", "-video_track_timescale", "600"];
  const path = makeVideo("mov", ...testPattern("size=64x36:rate=25:duration=1"), ...reordered);
  for (const [index, time] of frameTimes((await repeat(path, 2, "mov")).path).entries()) {
    expect(time).toBeCloseTo(index / 25, 3);
  }
});

it("repeats the chapters", async () => {
  const { path } = await repeat(videoWithText(), 2, "mkv");
  const times = ffprobe(path).chapters.map(({ tags, start_time }) => [
    tags?.title,
    Math.round(Number(start_time)),
  ]);
  expect(times).toEqual([
    ["One", 0],
    ["Two", 1],
    ["One", 2],
    ["Two", 3],
  ]);
});

it("a result of more than a day is an error", async () => {
  const path = makeVideo(
    "mp4",
    ...testPattern("color=black:size=16x16:rate=1:duration=900", "color"),
    ...h264,
  );
  await expect(repeat(path, 100)).rejects.toMatchObject({ code: "too_complex" });
});

it.each([{}, { count: 1 }, { count: 101 }, { count: 2.5 }])("%j is rejected", (params) => {
  expect(loop.params.safeParse(params).success).toBe(false);
});
