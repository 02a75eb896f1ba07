import { expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { volume } from "#lib/operations/video/volume/index.ts";
import { partsOf, richVideo } from "#tests/samples/rich-video.ts";
import {
  ffmpeg,
  h264,
  makeVideo,
  streamsOf,
  testPattern,
  tone,
  videoPackets,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function change(path: string, gain: number | string, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(volume, { path, type }, { gain });
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

/** The effective value of the samples of an audio track. */
function level(path: string, track = 0): number {
  const bytes = ffmpeg("-i", path, "-map", `0:a:${track}`, "-ac", "1", "-f", "f32le", "-");
  const samples = new Float32Array(new Uint8Array(bytes).buffer);
  return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
}

const twoTracks = (extension: string, ...options: string[]) =>
  makeVideo(
    extension,
    ...testPattern("size=64x36:rate=10:duration=1"),
    ...tone(1),
    ...tone(1, 880),
    "-map",
    "0:v",
    "-map",
    "1:a",
    "-map",
    "2:a",
    ...options,
  );

it.each<[number | string, number]>([
  ["-6.0206dB", 0.5],
  [2, 2],
  [0.25, 0.25],
  ["+6.0206dB", 2],
])("%s makes every track %d times as loud and copies the video", async (gain, factor) => {
  const path = twoTracks("mp4", ...h264, "-c:a", "aac");
  const output = await change(path, gain);
  for (const track of [0, 1]) {
    expect(level(output.path, track) / level(path, track)).toBeCloseTo(factor, 1);
  }
  expect(videoPackets(output.path)).toEqual(videoPackets(path));
  expect(output).toMatchObject({ width: 64, height: 36 });
});

it("keeps everything else", async () => {
  const output = await change(richVideo(), 0.5);
  expect(partsOf(output.path)).toEqual(partsOf(richVideo()));
  expect(output).toMatchObject({ width: 36, height: 64 });
});

it("0 is silence", async () => {
  const output = await change(twoTracks("mov", ...h264, "-c:a", "pcm_s16le"), 0, "mov");
  expect(level(output.path)).toBe(0);
  expect(streamsOf(output.path, "audio")[0]?.codec_name).toBe("pcm_s16le");
});

it("a video without audio is an error", async () => {
  const path = makeVideo("mp4", ...testPattern("size=64x36:rate=10:duration=0.5"), ...h264);
  await expect(change(path, 2)).rejects.toMatchObject({ code: "unsupported_type" });
});

it.each([{}, { gain: -1 }, { gain: "loud" }, { gain: "60dB" }, { gain: 1000 }])(
  "%j is rejected",
  (params) => {
    expect(volume.params.safeParse(params).success).toBe(false);
  },
);
