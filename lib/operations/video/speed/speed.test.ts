import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { speed } from "#lib/operations/video/speed/index.ts";
import { flashTimes, flashVideo } from "#tests/samples/av-sync.ts";
import {
  ffmpeg,
  ffprobe,
  frameAt,
  frameTimes,
  h264,
  makeVideo,
  sampleVideo,
  ssim,
  streamsOf,
  testPattern,
  videoPackets,
  videoWithText,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function change(path: string, params: Record<string, unknown>, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(speed, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return { ...output, seconds: Number(ffprobe(output.path).format.duration) };
}

/** The frequency of a tone, by its zero crossings. */
function frequency(path: string): number {
  const bytes = ffmpeg("-i", path, "-map", "0:a", "-ac", "1", "-ar", "48000", "-f", "f32le", "-");
  const samples = new Float32Array(new Uint8Array(bytes).buffer);
  const middle = samples.slice(samples.length * 0.25, samples.length * 0.75);
  const crossings = middle.filter((value, index) => value >= 0 && (middle[index - 1] ?? 0) < 0);
  return (crossings.length * 48_000) / middle.length;
}

describe("the speed", () => {
  // The source is 2 s long, at 25 frames/s.
  it.each([0.1, 0.5, 0.75, 1.5, 2.4])(
    "of %d copies the frames with other times",
    async (factor) => {
      const output = await change(sampleVideo(), { factor });
      expect(videoPackets(output.path)).toEqual(videoPackets(sampleVideo()));
      expect(Math.abs(output.seconds - 2 / factor)).toBeLessThan(0.06);
      expect(output.duration).toBeCloseTo(2 / factor, 1);
      const times = frameTimes(output.path);
      for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / 25 / factor, 2);
      expect(Math.abs(frequency(output.path) / 440 - 1)).toBeLessThan(0.01);
    },
  );

  it.each([4, 10])("of %d drops frames to keep the frame rate", async (factor) => {
    const output = await change(sampleVideo(), { factor });
    expect(streamsOf(output.path, "video")[0]).toMatchObject({ avg_frame_rate: "25/1" });
    expect(Math.abs(output.seconds - 2 / factor)).toBeLessThan(0.06);
    const expected = `setpts=PTS/${factor},fps=25`;
    expect(ssim(sampleVideo(), output.path, expected, "null")).toBeGreaterThan(0.97);
  });

  it("applies to containers without timestamps", async () => {
    const path = makeVideo(
      "avi",
      "-i",
      sampleVideo(),
      "-t",
      "1",
      "-c:v",
      "mpeg4",
      "-q:v",
      "2",
      "-c:a",
      "libmp3lame",
    );
    const output = await change(path, { factor: 0.5 }, "avi");
    expect(Math.abs(output.seconds - 2)).toBeLessThan(0.15);
    expect(streamsOf(output.path, "video")[0]).toMatchObject({
      avg_frame_rate: "25/1",
      codec_name: "mpeg4",
    });
  });
});

it("makes frames in between if it is smooth", async () => {
  const path = makeVideo("mp4", ...testPattern("size=128x72:rate=10:duration=2"), ...h264);
  const output = await change(path, { factor: 0.5, smooth: true });
  expect(streamsOf(output.path, "video")[0]).toMatchObject({ avg_frame_rate: "10/1" });
  expect(Math.abs(output.seconds - 4)).toBeLessThan(0.25);
  // Consecutive frames differ, which repeated frames would not.
  const first = frameAt(output.path, 1.05);
  const second = frameAt(output.path, 1.15);
  expect(first.data.equals(second.data)).toBe(false);
});

describe("audio", () => {
  it.each([0.5, 1.5, 3])("stays within 20 ms of the video at %d", async (factor) => {
    const output = await change(flashVideo("mp4", 2.2), { factor });
    const { light, beep } = flashTimes(output.path);
    expect(Math.abs(light - 2.2 / factor)).toBeLessThan(0.021);
    expect(Math.abs(beep - light)).toBeLessThan(0.02);
  });
});

it("moves subtitles and chapters", async () => {
  const { path } = await change(videoWithText(), { factor: 0.5 }, "mkv");
  const { chapters } = ffprobe(path);
  expect(
    chapters.map(({ tags, start_time, end_time }) => [
      tags?.title,
      Math.round(Number(start_time)),
      Math.round(Number(end_time)),
    ]),
  ).toEqual([
    ["One", 0, 2],
    ["Two", 2, 4],
  ]);
  const srt = ffmpeg("-i", path, "-map", "0:s", "-f", "srt", "-").toString();
  expect(srt).toMatch(/00:00:00,4\d\d --> 00:00:01,8\d\d/);
  expect(ffprobe(path).format.tags?.title).toBe("A video");
});

it("a video without audio, with irregular times", async () => {
  const gaps = ["-vf", "select='lt(n,5)+gt(n,20)'", "-fps_mode", "vfr"];
  const path = makeVideo("mp4", ...testPattern("size=64x36:rate=25:duration=1"), ...gaps, ...h264);
  const output = await change(path, { factor: 0.25 });
  const times = frameTimes(output.path);
  for (const [index, time] of frameTimes(path).entries())
    expect(times[index]).toBeCloseTo(time * 4, 2);
});

it("a video of one frame keeps it", async () => {
  const path = makeVideo("mp4", ...testPattern("size=64x36:rate=25:duration=0.04"), ...h264);
  const { path: result } = await change(path, { factor: 10 });
  expect(frameTimes(result)).toEqual([0]);
});

it.each([{}, { factor: 0 }, { factor: 0.09 }, { factor: 10.1 }, { factor: "2" }])(
  "%j is rejected",
  (params) => {
    expect(speed.params.safeParse(params).success).toBe(false);
  },
);
