import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { trim } from "#lib/operations/video/trim/index.ts";
import { flashTimes, flashVideo } from "#tests/samples/av-sync.ts";
import {
  audioHashes,
  ffprobe,
  frameAt,
  frameTimes,
  h264,
  makeVideo,
  packetsOf,
  sampleVideo,
  streamsOf,
  testPattern,
  tone,
  videoFolder,
  videoPackets,
  videoWithText,
} from "#tests/samples/videos.ts";
import { runCopy } from "#tests/samples/zygote/run-copy.ts";
import { runOperation } from "#tests/support/operation.ts";

/** Whose frame `n` has the brightness `16 + n`. */
const counter = "color=c=gray:size=64x36:rate=25:duration=4,geq=lum='16+mod(N,200)':cb=128:cr=128";

const counted = (extension: string, ...options: string[]) =>
  makeVideo(extension, "-f", "lavfi", "-i", counter, ...tone(4), ...options);

const x264 = (...options: string[]) => [
  "-c:v",
  "libx264",
  "-preset",
  "veryfast",
  "-pix_fmt",
  "yuv420p",
  "-c:a",
  "aac",
  "-g",
  "20",
  "-keyint_min",
  "20",
  "-sc_threshold",
  "0",
  ...options,
];

const x265 = (params: string) => [
  "-c:v",
  "libx265",
  "-preset",
  "ultrafast",
  "-pix_fmt",
  "yuv420p",
  "-c:a",
  "aac",
  "-x265-params",
  `log-level=error:scenecut=0:${params}`,
];

const closedGop = x265("no-open-gop=1:keyint=20:min-keyint=20:bframes=3");

async function cut(path: string, params: Record<string, unknown>, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(trim, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

/** The numbers of the frames of a counted video, of which no stream may be damaged. */
function numbers(path: string): number[] {
  const gray = ["-vf", "scale=1:1:flags=area,format=gray", "-fps_mode", "passthrough"];
  const video = ["-map", "0:v:0", ...gray, "-f", "rawvideo", "pipe:1"];
  const args = ["-v", "error", "-nostdin", "-i", path, ...video, "-map", "0:a?", "-f", "null", "-"];
  const { stdout, stderr } = runCopy("ffmpeg", args);
  expect(stderr.toString()).toBe("");
  // The scale to full range multiplies by 255 / 219.
  return [...stdout].map((value) => Math.round((value * 219) / 255));
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe("a precise cut", () => {
  it.each([
    ["between key frames", { start: 0.6, end: 2.2 }, 15, 55],
    ["at key frames", { start: 0.8, end: 2.4 }, 20, 60],
    ["from a key frame", { start: "00:00:00.8", duration: 1 }, 20, 45],
    ["to a key frame", { start: 0.2, end: "00:01.600" }, 5, 40],
    ["to the end", { start: 1.5 }, 38, 100],
    ["beyond the end", { start: 3, end: 100 }, 75, 100],
    ["of everything", { start: 0 }, 0, 100],
    ["within a GOP", { start: 1, end: 1.4 }, 25, 35],
    ["of one frame", { start: 1.04, duration: 0.04 }, 26, 27],
  ])("%s has exactly its frames", async (_, params, first, end) => {
    const path = counted("mp4", ...x264());
    const output = await cut(path, params);
    expect(numbers(output.path)).toEqual(range(first, end));
    const times = frameTimes(output.path);
    expect(times[0]).toBe(0);
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / 25, 3);
    expect(
      Math.abs(Number(ffprobe(output.path).format.duration) - (end - first) / 25),
    ).toBeLessThan(0.03);
    expect(output.duration).toBeCloseTo((end - first) / 25, 2);
  });
});

describe("packets", () => {
  it.each<[string, MediaTypeId, string, string[]]>([
    ["H.264 with B-frames in MP4", "mp4", "mp4", x264("-bf", "3")],
    ["H.264 of another profile in MOV", "mov", "mov", x264("-profile:v", "main")],
    ["H.264 in Matroska", "mkv", "mkv", [...x264(), "-c:a", "pcm_s16le"]],
    [
      "VP9 in WebM",
      "webm",
      "webm",
      [
        "-c:v",
        "libvpx-vp9",
        "-deadline",
        "realtime",
        "-cpu-used",
        "8",
        "-g",
        "20",
        "-c:a",
        "libopus",
      ],
    ],
    ["H.264 in MPEG-TS", "mpegts", "ts", [...x264("-bf", "3"), "-c:a", "mp2"]],
    ["HEVC in MPEG-TS", "mpegts", "ts", [...closedGop, "-c:a", "mp2"]],
    ["HEVC in MP4", "mp4", "mp4", [...closedGop, "-tag:v", "hvc1"]],
    ["HEVC of 10 bits in MOV", "mov", "mov", [...closedGop, "-pix_fmt", "yuv420p10le"]],
    ["HEVC in Matroska", "mkv", "mkv", [...closedGop, "-c:a", "pcm_s16le"]],
  ])("between the cuts are those of the source: %s", async (_, type, extension, options) => {
    const path = counted(extension, ...options);
    const output = await cut(path, { start: 0.6, end: 2.6 }, type);
    const found = numbers(output.path);
    expect(Math.abs((found[0] ?? 0) - 15)).toBeLessThanOrEqual(1);
    expect(found).toHaveLength(50);
    // From the key frame at 0.8 s to the last one before the end.
    const source = videoPackets(path).slice(20, 60);
    const result = videoPackets(output.path);
    expect(result.slice(5, 45)).toEqual(source);
    expect(result.slice(0, 5)).not.toEqual(videoPackets(path).slice(15, 20));
    const times = frameTimes(output.path);
    // A transport stream does not start at 0.
    const first = type === "mpegts" ? (times[0] ?? 0) : 0;
    for (const [index, time] of times.entries()) expect(time - first).toBeCloseTo(index / 25, 2);
    expect(streamsOf(output.path, "audio")).toHaveLength(1);
  });

  it.each<[MediaTypeId, string]>([
    ["mp4", "hvc1"],
    ["mov", "hev1"],
    ["mkv", ""],
  ])("of HEVC with open GOPs are copied, too (%s %s)", async (type, tag) => {
    const options = x265("open-gop=1:keyint=20:min-keyint=20:bframes=3:b-adapt=0");
    const path = counted(type, ...options, ...(tag ? ["-tag:v", tag] : []));
    const output = await cut(path, { start: 0.6, end: 2.6 }, type);
    const found = numbers(output.path);
    for (const [index, value] of found.entries())
      expect(Math.abs(value - 15 - index)).toBeLessThanOrEqual(1);
    expect(found).toHaveLength(50);
    const times = frameTimes(output.path);
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / 25, 2);
    // Of the frames 15 to 64, those from the first key frame to before the last one.
    const source = new Set(videoPackets(path));
    const copied = videoPackets(output.path).filter((hash) => source.has(hash));
    expect(copied.length).toBeGreaterThan(30);
    const [stream] = streamsOf(output.path, "video");
    if (tag) expect(stream?.codec_tag_string).toBe(tag);
  });

  it("are all copied if every frame is a key frame", async () => {
    const path = makeVideo(
      "mov",
      ...testPattern("size=64x36:rate=25:duration=2"),
      ...tone(),
      "-c:v",
      "prores_ks",
      "-c:a",
      "pcm_s16le",
    );
    const output = await cut(path, { start: 0.52, end: 1.2 }, "mov");
    expect(videoPackets(output.path)).toEqual(videoPackets(path).slice(13, 30));
    expect(frameTimes(output.path)[0]).toBe(0);
  });

  it.each<[string, MediaTypeId, string, string[]]>([
    ["mpeg2video", "mpeg", "mpg", ["-c:v", "mpeg2video", "-q:v", "2", "-c:a", "mp2"]],
    ["hevc", "mpegts", "ts", x265("open-gop=1:keyint=20:min-keyint=20:bframes=3")],
    ["mpeg4", "avi", "avi", ["-c:v", "mpeg4", "-q:v", "2", "-c:a", "libmp3lame"]],
    ["wmv2", "wmv", "wmv", ["-c:v", "wmv2", "-q:v", "2", "-c:a", "wmav2"]],
    ["hevc", "mp4", "mp4", ["-c:v", "libx265", "-x265-params", "log-level=error", "-c:a", "aac"]],
    ["h264", "flv", "flv", x264()],
  ])("are encoded again as %s in %s", async (codec, type, extension, options) => {
    const path = counted(extension, ...options);
    const output = await cut(path, { start: 1, end: 2 }, type);
    const found = numbers(output.path);
    expect(found.length).toBe(25);
    for (const [index, value] of found.entries())
      expect(Math.abs(value - 25 - index)).toBeLessThanOrEqual(1);
    expect(streamsOf(output.path, "video")[0]?.codec_name).toBe(codec);
    expect(streamsOf(output.path, "audio")).toHaveLength(1);
  });
});

describe("audio", () => {
  it.each<[string, MediaTypeId, string, string[]]>([
    ["H.264 in MP4", "mp4", "mp4", x264()],
    ["H.264 in Matroska", "mkv", "mkv", [...x264(), "-c:a", "libopus"]],
    ["MPEG-4 in AVI", "avi", "avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]],
    ["H.264 in MPEG-TS", "mpegts", "ts", x264()],
    ["HEVC in MPEG-TS", "mpegts", "ts", closedGop],
    ["HEVC in MP4", "mp4", "mp4", closedGop],
  ])("stays within 20 ms of the video (%s)", async (_, type, extension, options) => {
    const path = flashVideo(extension, 2.2, 4, options);
    const output = await cut(path, { start: 1.3, end: 3.1 }, type);
    const { light, beep } = flashTimes(output.path);
    const source = flashTimes(path);
    // The delay of MP3 moves the frames of an AVI file that ffmpeg writes by two.
    expect(Math.abs(light - (source.light - 1.3))).toBeLessThan(type === "avi" ? 0.041 : 0.021);
    expect(Math.abs(beep - light - (source.beep - source.light))).toBeLessThan(0.02);
  });
});

describe("unusual videos", () => {
  it("keep irregular times of frames, and show a frame that started before the cut", async () => {
    const gaps = ["-vf", "select='lt(n,10)+gte(n,60)'", "-fps_mode", "vfr"];
    const path = counted("mp4", ...x264(...gaps));
    const output = await cut(path, { start: 1, end: 3 });
    expect(numbers(output.path)).toEqual([9, ...range(60, 75)]);
    const times = frameTimes(output.path);
    expect(times[0]).toBe(0);
    expect(times[1]).toBeCloseTo(1.4, 2);
    expect(times.at(-1)).toBeCloseTo(1.96, 2);
  });

  it("keep rotation, color tags, subtitles, chapters and the title", async () => {
    const tags = [
      "-color_primaries",
      "bt2020",
      "-color_trc",
      "arib-std-b67",
      "-colorspace",
      "bt2020nc",
    ];
    const flat = counted(
      "mp4",
      "-c:v",
      "libx265",
      "-x265-params",
      "log-level=error",
      "-pix_fmt",
      "yuv420p10le",
      ...tags,
    );
    const turned = makeVideo("mp4", "-i", flat, "-c", "copy", "-metadata:s:v", "rotate=90");
    const output = await cut(turned, { start: 1, end: 1.4 });
    expect(streamsOf(output.path, "video")[0]).toMatchObject({
      codec_name: "hevc",
      pix_fmt: "yuv420p10le",
      color_transfer: "arib-std-b67",
      color_space: "bt2020nc",
    });
    const [rotation, kept] = [turned, output.path].map(
      (one) => streamsOf(one, "video")[0]?.side_data_list,
    );
    expect(kept).toEqual(rotation);
    expect(rotation).toHaveLength(1);
    expect([output.width, output.height]).toEqual([36, 64]);
    const text = await cut(videoWithText(), { start: 0.5, end: 1.5 }, "mkv");
    const { chapters, format } = ffprobe(text.path);
    expect(
      chapters.map((chapter) => [
        chapter.tags?.title,
        Number(Number(chapter.start_time).toFixed(2)),
        Number(Number(chapter.end_time).toFixed(2)),
      ]),
    ).toEqual([
      ["One", 0, 0.5],
      ["Two", 0.5, 1],
    ]);
    expect(format.tags?.title).toBe("A video");
    const [[start, end] = []] = subtitleTimes(text.path);
    expect(start).toBe(0);
    expect(Math.abs((end ?? 0) - 0.4)).toBeLessThan(0.03);
  });

  it("keep the rotation of joined parts", async () => {
    const turned = makeVideo(
      "mp4",
      "-i",
      counted("mp4", ...x264()),
      "-c",
      "copy",
      "-metadata:s:v",
      "rotate=90",
    );
    const output = await cut(turned, { start: 0.6, end: 2.2 });
    const { width, height } = frameAt(output.path);
    expect([width, height, output.width, output.height]).toEqual([36, 64, 36, 64]);
  });

  it("keep every audio track, or none", async () => {
    const silent = makeVideo("mp4", ...testPattern(), ...h264);
    expect(streamsOf((await cut(silent, { start: 1 })).path, "audio")).toHaveLength(0);
    const maps = ["-map", "0:v", "-map", "1:a", "-map", "2:a", "-metadata:s:a:1", "language=fra"];
    const two = makeVideo(
      "mp4",
      ...testPattern(),
      ...tone(),
      ...tone(2, 880),
      ...maps,
      ...h264,
      "-c:a",
      "aac",
    );
    const tracks = streamsOf((await cut(two, { start: 0.5, duration: 1 })).path, "audio");
    expect(tracks.map(({ tags }) => tags?.language)).toEqual(["und", "fra"]);
  });
});

describe("Ogg", () => {
  it("keeps the times of a still video, whose repeated frames it does not store", async () => {
    const theora = ["-c:v", "libtheora", "-q:v", "7", "-c:a", "libvorbis"];
    const path = flashVideo("ogv", 1.6, 4, theora);
    for (const precise of [true, false]) {
      const output = await cut(path, { start: 0.846, precise }, "ogv");
      const { light, beep } = flashTimes(output.path);
      expect(light).toBeCloseTo(1.6 - 0.84, 2);
      expect(Math.abs(beep - light)).toBeLessThan(0.025);
    }
  });
});

describe("without precision", () => {
  it("starts at the key frame before and copies every packet", async () => {
    const path = counted("mp4", ...x264());
    const output = await cut(path, { start: 1, end: 2, precise: false });
    expect(videoPackets(output.path).slice(0, 30)).toEqual(videoPackets(path).slice(20, 50));
    expect(numbers(output.path).slice(0, 30)).toEqual(range(20, 50));
    const source = new Set(audioHashes(path)[0]);
    expect(audioHashes(output.path)[0]?.every((hash) => source.has(hash))).toBe(true);
  });

  it.each(["mp4", "mov"] as const)("keeps every frame of times in 1/600 s (%s)", async (type) => {
    const path = counted(type, ...x264("-video_track_timescale", "600"));
    for (const precise of [true, false]) {
      const output = await cut(path, { start: 0.8, end: 2.4, precise }, type);
      expect(numbers(output.path)).toEqual(range(20, 60));
      expect(streamsOf(output.path, "video")[0]?.time_base).toBe("1/600");
    }
  });
});

describe("without precision, in MPEG", () => {
  it.each([
    ["with", ["-g", "20"]],
    ["without", ["-g", "25", "-bf", "0"]],
  ])("has the frames of the range, %s B-frames", async (_, options) => {
    const mpeg2 = ["-c:v", "mpeg2video", "-q:v", "1", "-c:a", "mp2"];
    const path = counted("mpg", ...mpeg2, ...options);
    for (const start of [0.48, 1.52, 2.4]) {
      const output = await cut(path, { start, duration: 1.2, precise: false }, "mpeg");
      const [first = 0] = numbers(output.path);
      expect(Math.abs(first - 25 * start)).toBeLessThan(2);
      expect(numbers(output.path)).toEqual(range(first, first + 30));
      expect(streamsOf(output.path, "video")[0]?.codec_name).toBe("mpeg2video");
      expect(streamsOf(output.path, "audio")[0]?.codec_name).toBe("mp2");
    }
  });
});

describe("errors", () => {
  it.each([10, 4.5])("a start after the end of the video (%d s)", async (start) => {
    await expect(cut(sampleVideo(), { start })).rejects.toMatchObject({
      code: "empty",
      message: expect.stringContaining("`start`"),
    });
  });

  it.each([
    { start: 2, end: 1 },
    { start: 1, end: 1 },
    { start: 1, duration: 0 },
    { start: 0, end: 2, duration: 1 },
    { start: -1 },
    {},
  ])("rejected: %j", (params) => {
    expect(trim.params.safeParse(params).success).toBe(false);
  });

  it("a damaged file", async () => {
    const whole = readFileSync(sampleVideo());
    const path = join(videoFolder(), "damaged.mp4");
    writeFileSync(path, whole.subarray(0, whole.length / 3));
    await expect(cut(path, { start: 0.5 })).rejects.toMatchObject({ code: "corrupt" });
  });
});

/** The start and end of each subtitle, in seconds. */
function subtitleTimes(path: string): number[][] {
  return (
    packetsOf(path, "subtitle")[0]?.map(({ pts_time, duration_time }) => {
      const start = Number(pts_time);
      return [start, Math.round((start + Number(duration_time)) * 1000) / 1000];
    }) ?? []
  );
}
