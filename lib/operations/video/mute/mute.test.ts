import { expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { mute } from "#lib/operations/video/mute/index.ts";
import { partsOf, richVideo } from "#tests/samples/rich-video.ts";
import {
  ffprobe,
  h264,
  makeVideo,
  streamsOf,
  testPattern,
  tone,
  videoPackets,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function silence(path: string, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(mute, { path, type });
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

it.each<[MediaTypeId, string, string[]]>([
  ["mp4", "mp4", [...h264, "-c:a", "aac"]],
  ["webm", "webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"]],
  ["avi", "avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]],
])("removes every audio track and copies the video (%s)", async (type, extension, options) => {
  const maps = ["-map", "0:v", "-map", "1:a", "-map", "2:a"];
  const small = testPattern("size=64x36:rate=10:duration=0.5");
  const path = makeVideo(extension, ...small, ...tone(0.5), ...tone(0.5, 880), ...maps, ...options);
  const output = await silence(path, type);
  expect(streamsOf(path, "audio")).toHaveLength(2);
  expect(streamsOf(output.path, "audio")).toHaveLength(0);
  expect(videoPackets(output.path)).toEqual(videoPackets(path));
  expect(ffprobe(output.path).format.format_name).toBe(ffprobe(path).format.format_name);
});

it("keeps everything else", async () => {
  const output = await silence(richVideo());
  expect(partsOf(output.path)).toEqual({ ...partsOf(richVideo()), audio: [] });
  expect(output).toMatchObject({ width: 36, height: 64 });
});

it("a video without audio stays as it is", async () => {
  const path = makeVideo("mp4", ...testPattern("size=64x36:rate=10:duration=0.5"), ...h264);
  expect(videoPackets((await silence(path)).path)).toEqual(videoPackets(path));
});

it("an audio file is an error", async () => {
  const path = makeVideo("m4a", ...tone(0.5), "-c:a", "aac");
  await expect(silence(path)).rejects.toMatchObject({ code: "unsupported_type" });
});
