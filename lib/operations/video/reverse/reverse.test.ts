import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { reverse } from "#lib/operations/video/reverse/index.ts";
import { flashTimes, flashVideo } from "#tests/samples/av-sync.ts";
import {
  ffmpeg,
  ffprobe,
  frameTimes,
  h264,
  makeVideo,
  streamsOf,
  testPattern,
  tone,
  videoWithText,
} from "#tests/samples/videos.ts";
import { runCopy } from "#tests/samples/zygote/run-copy.ts";
import { runOperation } from "#tests/support/operation.ts";

async function turn(path: string, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(reverse, { path, type });
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

/** The numbers of the frames of a video whose frame `n` has the brightness `16 + n`. */
function numbers(path: string): number[] {
  const gray = ["-vf", "scale=1:1:flags=area,format=gray", "-fps_mode", "passthrough"];
  const pixels = ffmpeg("-i", path, "-map", "0:v:0", ...gray, "-f", "rawvideo", "-");
  return [...pixels].map((value) => Math.round((value * 219) / 255));
}

const counter = (size: string, frames: number) => [
  "-f",
  "lavfi",
  "-i",
  `color=c=gray:size=${size}:rate=25:duration=${frames / 25},geq=lum='16+N':cb=128:cr=128`,
];

it("keeps the HDR10 metadata of H.265", async () => {
  const path = makeVideo(
    "mp4",
    ...testPattern("size=64x36:rate=25:duration=1"),
    ...["-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params"],
    "log-level=error:max-cll=1000,400",
    ...["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"],
    ...["-tag:v", "hvc1"],
  );
  const { path: output } = await turn(path);
  const show = ["-v", "quiet", "-read_intervals", "%+#1", "-show_entries", "frame_side_data_list"];
  const { stdout } = runCopy("ffprobe", [...show, output]);
  expect(stdout.toString()).toContain("max_content=1000");
});

it("reverses the chapters", async () => {
  const { chapters } = ffprobe((await turn(videoWithText(), "mkv")).path);
  const times = chapters.map(({ tags, start_time, end_time }) => [
    tags?.title,
    Math.round(Number(start_time) * 10),
    Math.round(Number(end_time) * 10),
  ]);
  expect(times).toEqual([
    ["Two", 0, 10],
    ["One", 10, 20],
  ]);
});

describe("the frames", () => {
  it("are in reverse order, at a constant rate", async () => {
    const path = makeVideo("mp4", ...counter("64x36", 50), ...tone(), ...h264, "-c:a", "aac");
    const output = await turn(path);
    expect(numbers(output.path)).toEqual(Array.from({ length: 50 }, (_, index) => 49 - index));
    for (const [index, time] of frameTimes(output.path).entries()) {
      expect(time).toBeCloseTo(index / 25, 2);
    }
    expect(output.duration).toBeCloseTo(2, 2);
    expect(Math.abs(Number(ffprobe(output.path).format.duration) - 2)).toBeLessThan(0.03);
  });

  it("are joined from several segments", async () => {
    const path = makeVideo("mp4", ...counter("64x36", 200), ...h264);
    const { path: result } = await turn(path);
    expect(numbers(result)).toEqual(Array.from({ length: 200 }, (_, index) => 199 - index));
    for (const [index, time] of frameTimes(result).entries())
      expect(time).toBeCloseTo(index / 25, 2);
  });

  it("keep their distances if times are irregular", async () => {
    const gaps = ["-vf", "select='lt(n,10)+gte(n,40)'", "-fps_mode", "vfr"];
    const path = makeVideo("mp4", ...counter("64x36", 50), ...gaps, ...h264);
    const shown = (result: string, seconds: number) =>
      numbers(
        makeVideo("mkv", "-ss", `${seconds}`, "-i", result, "-frames:v", "1", "-c:v", "ffv1"),
      )[0];
    const output = await turn(path);
    // Frame 9 is on screen from 0.36 s to 1.6 s.
    for (const seconds of [0.5, 1, 1.5]) expect(shown(output.path, seconds)).toBe(9);
    expect(shown(output.path, 0)).toBe(49);
  });

  it("keep codec, size, rotation and alpha", async () => {
    const flat = makeVideo(
      "webm",
      ...testPattern("color=red@0.5:size=64x36:rate=10:duration=0.5,format=yuva420p", "color"),
      "-c:v",
      "libvpx-vp9",
      "-pix_fmt",
      "yuva420p",
    );
    const output = await turn(flat, "webm");
    const alpha = ffmpeg(
      "-c:v",
      "libvpx-vp9",
      "-i",
      output.path,
      "-vf",
      "alphaextract,format=gray",
      "-frames:v",
      "1",
      "-f",
      "rawvideo",
      "-",
    );
    expect(Math.abs((alpha[100] ?? 0) - 128)).toBeLessThan(6);
    const path = makeVideo("mp4", ...testPattern("size=64x36:rate=10:duration=0.5"), ...h264);
    const turned = await turn(
      makeVideo("mp4", "-i", path, "-c", "copy", "-metadata:s:v", "rotate=90"),
    );
    expect(turned).toMatchObject({ width: 36, height: 64 });
    expect(streamsOf(turned.path, "video")[0]).toMatchObject({ codec_name: "h264", width: 64 });
  });
});

it.each<[MediaTypeId, string, string[]]>([
  ["mp4", "mp4", [...h264, "-c:a", "aac"]],
  ["mkv", "mkv", ["-c:v", "mpeg4", "-c:a", "flac"]],
])(
  "audio is reversed and stays within 20 ms of the video (%s)",
  async (type, extension, options) => {
    const output = await turn(flashVideo(extension, 1.2, 4, options), type);
    const { light, beep } = flashTimes(output.path);
    // The flash lasts from 1.2 to 1.3 s of 4 s.
    expect(Math.abs(light - 2.7)).toBeLessThan(0.041);
    expect(Math.abs(beep - light)).toBeLessThan(0.02);
  },
);

it("a video of more than 15 minutes is an error", async () => {
  const path = makeVideo(
    "mp4",
    ...testPattern("color=black:size=16x16:rate=1:duration=901", "color"),
    ...h264,
  );
  await expect(turn(path)).rejects.toMatchObject({ code: "too_complex" });
});
