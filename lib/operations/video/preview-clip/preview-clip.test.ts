import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { previewClip } from "#lib/operations/video/preview-clip/index.ts";
import { flashTimes, flashVideo } from "#tests/samples/av-sync.ts";
import {
  audioHashes,
  ffprobe,
  frameAt,
  frameTimes,
  h264,
  makeVideo,
  packetsOf,
  pixelAt,
  sampleVideo,
  streamsOf,
  testPattern,
  tone,
  topBoxes,
  videoPackets,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function preview(path: string, params: Record<string, unknown>, type: MediaTypeId = "mp4") {
  const { outputs, progress } = await runOperation(previewClip, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const seconds = Number(ffprobe(output.path).format.duration);
  return { ...output, progress, seconds };
}

/** A video whose luma shows the time: 10 × the whole second. */
function clock(seconds: number, ...options: string[]): string {
  const luma = "geq=lum='16+10*floor(T)':cb=128:cr=128";
  const source = testPattern(`size=96x54:rate=25:duration=${seconds}`, "color");
  return makeVideo(
    "mp4",
    ...source,
    ...tone(seconds),
    "-vf",
    luma,
    ...h264,
    "-g",
    "50",
    "-c:a",
    "aac",
    ...options,
  );
}

/** The second that a frame of `clock` shows. */
function secondAt(path: string, seconds: number): number {
  const [red] = pixelAt(frameAt(path, seconds), 48, 27);
  return Math.round((red * 219) / 255 / 10);
}

describe("the clip", () => {
  it.each([
    { start: 3, duration: 2 },
    { start: 2.5, duration: 1 },
    { start: 0, duration: 3 },
    { start: 4.96, duration: 2 },
  ])("has the requested start and duration (%j)", async ({ start, duration }) => {
    const clip = await preview(clock(8), { start, duration });
    expect(Math.abs(clip.seconds - duration)).toBeLessThan(0.04);
    expect(clip.duration).toBe(duration);
    expect(secondAt(clip.path, 0)).toBe(Math.floor(start));
    expect(secondAt(clip.path, duration - 0.1)).toBe(Math.floor(start + duration - 0.1));
    expect(frameTimes(clip.path)).toHaveLength(duration * 25);
  });

  it("is an MP4 with its index first and a key frame at time 0", async () => {
    const clip = await preview(clock(8), { start: 3.3, duration: 1 });
    const boxes = topBoxes(clip.path);
    expect(boxes.indexOf("moov")).toBeLessThan(boxes.indexOf("mdat"));
    expect(streamsOf(clip.path, "video")[0]).toMatchObject({
      codec_name: "h264",
      pix_fmt: "yuv420p",
    });
    const [first] = packetsOf(clip.path, "video")[0] ?? [];
    expect([Number(first?.pts_time), first?.flags[0]]).toEqual([0, "K"]);
    expect(frameTimes(clip.path)[0]).toBe(0);
    expect(Number(streamsOf(clip.path, "audio")[0]?.start_time)).toBeCloseTo(0, 2);
  });

  it("keeps audio and video in sync", async () => {
    const clip = await preview(flashVideo("mp4", 2.2), { start: 1.2, duration: 2 });
    const { light, beep } = flashTimes(clip.path);
    expect(Math.abs(light - 1)).toBeLessThan(0.041);
    expect(Math.abs(beep - 1)).toBeLessThan(0.041);
  });

  it("starts with the frame on screen, even if it is much older", async () => {
    const path = makeVideo(
      "mkv",
      ...testPattern("size=96x54:rate=25:duration=6"),
      "-vf",
      "select='lt(n,2)+gt(n,125)'",
      "-fps_mode",
      "vfr",
      ...h264,
    );
    const clip = await preview(path, { start: 3, duration: 2 }, "mkv");
    expect(frameTimes(clip.path)[0]).toBe(0);
    expect(Math.abs(clip.seconds - 2)).toBeLessThan(0.041);
  });

  it.each([7.965, 7.985, 7.999])("may start in the last frame, at %d s", async (start) => {
    const clip = await preview(clock(8), { start, duration: 1 });
    expect(secondAt(clip.path, 0)).toBe(7);
    expect(frameTimes(clip.path)).toEqual([0]);
  });

  it.each([
    [4, 3, [0, 5]],
    [6, 1, [5, 5]],
    [7.6, 1, [5, 5]],
    [9, 1, [5, 5]],
  ])("shows the slides of its time, from %d s for %d s", async (start, duration, slides) => {
    const source = testPattern("size=96x54:rate=1/5:duration=10", "color");
    const luma = "geq=lum='16+10*floor(T)':cb=128:cr=128";
    const path = makeVideo("mp4", ...source, "-vf", luma, ...h264);
    const clip = await preview(path, { start, duration });
    expect(Math.abs(clip.seconds - duration)).toBeLessThan(0.041);
    expect([0, duration - 0.3].map((time) => secondAt(clip.path, time))).toEqual(slides);
  });

  it("ends with the video", async () => {
    const clip = await preview(clock(8), { start: 7, duration: 5 });
    expect(Math.abs(clip.seconds - 1)).toBeLessThan(0.041);
  });

  it("is the whole video if that is shorter, without re-encoding", async () => {
    const clip = await preview(sampleVideo(), { duration: 5 });
    expect(Math.abs(clip.seconds - 2)).toBeLessThan(0.04);
    expect(videoPackets(clip.path)).toEqual(videoPackets(sampleVideo()));
    expect(audioHashes(clip.path)).toEqual(audioHashes(sampleVideo()));
  });

  it.each<[MediaTypeId, string, string[]]>([
    ["webm", "webm", ["-c:v", "libvpx", "-c:a", "libopus"]],
    ["avi", "avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]],
    ["mpegts", "ts", [...h264, "-c:a", "mp2"]],
    ["mpeg", "mpg", ["-c:v", "mpeg2video", "-c:a", "mp2"]],
    ["wmv", "wmv", ["-c:v", "wmv2", "-c:a", "wmav2"]],
    ["flv", "flv", [...h264, "-c:a", "aac"]],
  ])("is H.264 and AAC for any input (%s)", async (type, extension, options) => {
    const path = makeVideo(
      extension,
      ...testPattern("size=96x64:rate=25:duration=4"),
      ...tone(4),
      ...options,
    );
    const clip = await preview(path, { duration: 1, start: 1.5 }, type);
    const codecs = ffprobe(clip.path).streams.map((stream) => stream.codec_name);
    expect(codecs).toEqual(["h264", "aac"]);
    expect(Math.abs(clip.seconds - 1)).toBeLessThan(0.041);
  });

  it("is SDR if the video is HDR", async () => {
    const tags = [
      "-color_primaries",
      "bt2020",
      "-color_trc",
      "arib-std-b67",
      "-colorspace",
      "bt2020nc",
    ];
    const path = makeVideo(
      "mp4",
      ...testPattern("size=96x54:rate=10:duration=2"),
      "-c:v",
      "libx265",
      "-x265-params",
      "log-level=error",
      "-pix_fmt",
      "yuv420p10le",
      ...tags,
    );
    const clip = await preview(path, { duration: 1 });
    expect(streamsOf(clip.path, "video")[0]).toMatchObject({
      pix_fmt: "yuv420p",
      color_transfer: "bt709",
      color_space: "bt709",
    });
  });
});

describe("the start", () => {
  it("is after a tenth of the video, and always the same", async () => {
    const path = clock(20);
    const first = await preview(path, { duration: 1 });
    const second = await preview(path, { duration: 1 });
    expect(secondAt(first.path, 0)).toBe(2);
    expect(secondAt(second.path, 0)).toBe(2);
  });

  it("is after a black opening", async () => {
    const black = "drawbox=t=fill:c=black:enable='lt(t,5)'";
    const path = makeVideo(
      "mp4",
      ...testPattern("size=96x54:rate=25:duration=20"),
      "-vf",
      black,
      ...h264,
      "-g",
      "25",
    );
    const clip = await preview(path, { duration: 1 });
    const { data } = frameAt(clip.path);
    expect(data.reduce((sum, value) => sum + value, 0) / data.length).toBeGreaterThan(60);
  });

  it.each([8, 8.5, 1000])("after the end of the video is an error (%d s)", async (start) => {
    await expect(preview(clock(8), { start })).rejects.toMatchObject({
      code: "empty",
      message: expect.stringContaining("start"),
    });
  });
});
