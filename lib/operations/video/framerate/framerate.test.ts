import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { framerate } from "#lib/operations/video/framerate/index.ts";
import { flashTimes, flashVideo } from "#tests/samples/av-sync.ts";
import { partsOf, richVideo } from "#tests/samples/rich-video.ts";
import {
  audioHashes,
  boxOf,
  ffprobe,
  frameAt,
  frameTimes,
  h264,
  makeVideo,
  streamsOf,
  testPattern,
  tone,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function change(path: string, fps: number, type: MediaTypeId = "mp4") {
  const { outputs, progress } = await runOperation(framerate, { path, type }, { fps });
  const [output] = outputs;
  if (!output) throw new Error("no output");
  const video = streamsOf(output.path, "video")[0];
  return { ...output, progress, video, seconds: Number(ffprobe(output.path).format.duration) };
}

describe("the frame rate", () => {
  it.each([
    ["29.97", 24],
    ["24", 60],
    ["25", 240],
    ["60", 1],
    ["25", 25],
    ["30", 7],
  ])("changes from %s to %i, constant, with the same duration", async (from, fps) => {
    const path = makeVideo(
      "mp4",
      ...testPattern(`size=96x54:rate=${from}:duration=2`),
      ...tone(),
      ...h264,
      "-c:a",
      "aac",
    );
    const { video, seconds, path: result, progress } = await change(path, fps);
    expect(video).toMatchObject({
      r_frame_rate: `${fps}/1`,
      avg_frame_rate: `${fps}/1`,
      codec_name: "h264",
    });
    expect(Math.abs(seconds - 2)).toBeLessThan(0.05);
    const times = frameTimes(result);
    const steady = times
      .slice(1)
      .every((time, index) => Math.abs(time - (times[index] ?? 0) - 1 / fps) < 0.0002);
    expect(steady).toBe(true);
    expect(audioHashes(result)).toEqual(audioHashes(path));
    expect(Math.max(...progress)).toBeGreaterThan(50);
  });

  it("becomes constant, with each frame at its time", async () => {
    // White from 1.0 s; frames at 0, 0.08, 1.0, 1.04 and then every tenth.
    const white = "drawbox=t=fill:c=white:enable='gte(t,1)'";
    const gaps = "select='lt(n,3)*not(eq(n,1))+between(n,25,26)+gte(n,27)*not(mod(n,10))'";
    const path = makeVideo(
      "mp4",
      ...testPattern("size=96x54:rate=25:duration=2", "color"),
      "-vf",
      `${white},${gaps}`,
      "-fps_mode",
      "vfr",
      ...h264,
    );
    const { video, path: result } = await change(path, 30);
    expect(video).toMatchObject({ r_frame_rate: "30/1", avg_frame_rate: "30/1" });
    const isWhite = (seconds: number) =>
      boxOf(frameAt(result, seconds), (r, g, b) => r + g + b > 600) !== undefined;
    expect([0.5, 0.9, 1.05, 1.5].map(isWhite)).toEqual([false, false, true, true]);
  });
});

describe("the container and the codec", () => {
  it.each<[MediaTypeId, string, string[], string]>([
    ["mov", "mov", [...h264, "-c:a", "pcm_s16le"], "h264"],
    ["mov", "mov", ["-c:v", "prores_ks", "-c:a", "aac"], "prores"],
    ["mkv", "mkv", ["-c:v", "libx265", "-x265-params", "log-level=error", "-c:a", "flac"], "hevc"],
    ["mkv", "mkv", ["-c:v", "ffv1", "-c:a", "ac3"], "ffv1"],
    ["webm", "webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"], "vp9"],
    ["webm", "webm", ["-c:v", "libvpx", "-c:a", "libvorbis"], "vp8"],
    ["avi", "avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"], "mpeg4"],
    ["avi", "avi", ["-c:v", "mjpeg", "-c:a", "pcm_s16le"], "mjpeg"],
    ["mpeg", "mpg", ["-c:v", "mpeg2video", "-c:a", "mp2"], "mpeg2video"],
    ["mpeg", "mpg", ["-c:v", "mpeg1video", "-c:a", "mp2"], "mpeg1video"],
    ["mpegts", "ts", [...h264, "-c:a", "aac"], "h264"],
    ["flv", "flv", [...h264, "-c:a", "aac"], "h264"],
    ["flv", "flv", ["-c:v", "flv", "-ar", "44100", "-c:a", "libmp3lame"], "flv1"],
    ["wmv", "wmv", ["-c:v", "wmv2", "-c:a", "wmav2"], "wmv2"],
    ["3gp", "3gp", [...h264, "-c:a", "aac"], "h264"],
    ["ogv", "ogv", ["-c:v", "libtheora", "-c:a", "libvorbis"], "theora"],
  ])("stay %s, with the same audio packets (%s %j)", async (type, extension, options, codec) => {
    const path = makeVideo(
      extension,
      ...testPattern("size=96x64:rate=25:duration=1"),
      ...tone(1),
      ...options,
    );
    const { video, path: result, seconds } = await change(path, 30, type);
    expect(ffprobe(result).format.format_name).toBe(ffprobe(path).format.format_name);
    expect(video?.codec_name).toBe(codec);
    expect(video?.r_frame_rate).toBe("30/1");
    expect(audioHashes(result)).toEqual(audioHashes(path));
    // The duration in an ASF header is up to one frame too long.
    const errors = [Number(ffprobe(path).format.duration), 1].map((real) =>
      Math.abs(seconds - real),
    );
    expect(Math.min(...errors)).toBeLessThan(0.05);
    expect(frameTimes(result).length).toBeGreaterThanOrEqual(29);
  });

  it("become H.264 if MPEG-2 does not support the rate", async () => {
    const path = makeVideo(
      "mpg",
      ...testPattern("size=96x64:rate=25:duration=1"),
      "-c:v",
      "mpeg2video",
    );
    const { video } = await change(path, 12, "mpeg");
    expect(video).toMatchObject({ codec_name: "h264", r_frame_rate: "12/1" });
  });
});

describe("other streams", () => {
  it.each([25, 60])("the audio stays within 20 ms of the video at %d fps", async (fps) => {
    // 50 frames/s; the flash is on a frame of both rates.
    const path = flashVideo("mp4", 1.2, 2);
    const { light, beep } = flashTimes((await change(path, fps)).path);
    expect(Math.abs(light - 1.2)).toBeLessThan(0.02);
    expect(Math.abs(beep - light)).toBeLessThan(0.02);
  });

  it("are kept", async () => {
    const output = await change(richVideo(), 10);
    const { times, ...kept } = partsOf(output.path);
    expect(partsOf(richVideo())).toMatchObject(kept);
    expect(times).toEqual(Array.from({ length: 10 }, (_, index) => index * 100));
    expect(output).toMatchObject({ width: 36, height: 64 });
  });
});
