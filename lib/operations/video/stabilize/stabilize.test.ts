import { expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { stabilize } from "#lib/operations/video/stabilize/index.ts";
import {
  audioHashes,
  ffmpeg,
  frameTimes,
  h264,
  makeVideo,
  streamsOf,
  testPattern,
  tone,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function calm(path: string, params = {}, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(stabilize, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

/** A still picture with detail, of which the camera shows a part that shakes by up to 4 pixels. */
const shaking = () =>
  makeVideo(
    "mp4",
    ...testPattern("size=240x160:rate=25", "mandelbrot"),
    ...tone(),
    "-vf",
    "trim=end_frame=1,loop=-1:1,setpts=N/25/TB,crop=160:96:'40+4*sin(n*2.1)':'32+4*cos(n*1.7)',trim=end_frame=50",
    ...h264,
    "-c:a",
    "aac",
  );

/** The mean difference of consecutive frames, in the middle of the picture. */
function unrest(path: string): number {
  const filters = "crop=iw/2:ih/2,tblend=all_mode=difference,format=gray";
  const pixels = ffmpeg("-i", path, "-map", "0:v", "-vf", filters, "-f", "rawvideo", "-");
  return pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
}

it("frames differ much less, with the same size, times and audio", async () => {
  const output = await calm(shaking(), { strength: 30 });
  expect(unrest(output.path)).toBeLessThan(unrest(shaking()) / 2);
  expect(output).toMatchObject({ width: 160, height: 96 });
  expect(frameTimes(output.path)).toEqual(frameTimes(shaking()));
  expect(audioHashes(output.path)).toEqual(audioHashes(shaking()));
});

it("a rotated video becomes upright", async () => {
  const turned = makeVideo(
    "mp4",
    "-i",
    shaking(),
    "-t",
    "1",
    "-c",
    "copy",
    "-metadata:s:v",
    "rotate=90",
  );
  const output = await calm(turned);
  expect(output).toMatchObject({ width: 96, height: 160 });
  expect(streamsOf(output.path, "video")[0]).toMatchObject({ width: 96, height: 160 });
});

it("a video with transparency keeps it, and one in RGB is not an error", async () => {
  const half = ["-vf", "format=yuva444p,geq=lum='lum(X,Y)':cb=128:cr=128:a='if(lt(X,32),0,255)'"];
  const source = testPattern("size=64x64:rate=10:duration=0.5");
  const mov = makeVideo("mov", ...source, ...half, "-c:v", "qtrle", "-pix_fmt", "argb");
  const { path } = await calm(mov, {}, "mov");
  const one = ["-frames:v", "1", "-vf", "alphaextract", "-f", "rawvideo", "-"];
  const alpha = ffmpeg("-i", path, ...one);
  expect([alpha[32 * 64 + 8], alpha[32 * 64 + 56]]).toEqual([0, 255]);
  const rgb = makeVideo("mkv", ...source, "-c:v", "ffv1", "-pix_fmt", "gbrp");
  expect(await calm(rgb, {}, "mkv")).toMatchObject({ width: 64, height: 64 });
});

it("a video with 10 bits gets a warning", async () => {
  const source = testPattern("size=64x64:rate=10:duration=0.5");
  const path = makeVideo("mp4", ...source, "-c:v", "libx264", "-pix_fmt", "yuv420p10le");
  const { warnings } = await runOperation(stabilize, { path, type: "mp4" });
  expect(warnings).toEqual(["Videos are stabilized with 8 bits per channel; this one has more."]);
});

it("a very small video is not an error", async () => {
  const path = makeVideo("mp4", ...testPattern("size=16x16:rate=10:duration=0.3"), ...h264);
  expect(await calm(path)).toMatchObject({ width: 16, height: 16 });
});

it.each([{ strength: 0 }, { strength: 101 }, { strength: 1.5 }])("%j is rejected", (params) => {
  expect(stabilize.params.safeParse(params).success).toBe(false);
});
