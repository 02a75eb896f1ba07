import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { concat } from "#lib/operations/video/concat/index.ts";
import { flashTimes, flashVideo } from "#tests/samples/av-sync.ts";
import {
  audioHashes,
  ffmpeg,
  ffprobe,
  frameAt,
  framesOf,
  frameTimes,
  h264,
  makeVideo,
  pixelAt,
  sampleVideo,
  shortVideo,
  slideshow,
  streamsOf,
  testPattern,
  tone,
  videoPackets,
  videoWithText,
} from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function join(files: (string | Sample)[], params: Record<string, unknown> = {}) {
  const samples = files.map(
    (file): Sample => (typeof file === "string" ? { path: file, type: "mp4" } : file),
  );
  const { outputs } = await runOperation(concat, samples, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return { ...output, seconds: Number(ffprobe(output.path).format.duration) };
}

const of = (type: MediaTypeId, path: string): Sample => ({ path, type });

/** One second of a color, 64 × 36, with a tone. */
const colored = (color: string, frequency = 440, ...options: string[]) =>
  makeVideo(
    "mp4",
    ...testPattern(`color=${color}:size=64x36:rate=25:duration=1`, "color"),
    ...tone(1, frequency),
    ...h264,
    "-c:a",
    "aac",
    "-shortest",
    ...options,
  );

function noFrame(): never {
  throw new Error("no frame");
}

function expectSteady(path: string, count: number, rate: number) {
  const times = frameTimes(path);
  expect(times).toHaveLength(count);
  for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / rate, 2);
}

describe("files with the same streams", () => {
  it("are joined by copying their packets", async () => {
    const parts = [colored("red"), colored("blue", 880), colored("lime")];
    const output = await join(parts);
    expect(videoPackets(output.path)).toEqual(parts.flatMap(videoPackets));
    expectSteady(output.path, 75, 25);
    expect(Math.abs(output.seconds - 3)).toBeLessThan(0.03);
    expect(pixelAt(frameAt(output.path, 1.5), 30, 20)[2]).toBeGreaterThan(200);
  });

  it.each<[MediaTypeId, string[]]>([
    ["mkv", [...h264, "-c:a", "aac"]],
    ["webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"]],
    ["flv", [...h264, "-c:a", "aac", "-ar", "44100"]],
    ["avi", [...h264, "-bf", "0", "-c:a", "libmp3lame"]],
    ["mov", [...h264, "-c:a", "aac", "-video_track_timescale", "600"]],
  ])("keep all their audio (%s)", async (type, options) => {
    const path = makeVideo(
      type,
      ...testPattern("size=64x36:rate=25:duration=1"),
      ...tone(1),
      ...options,
    );
    const output = await join([of(type, path), of(type, path)]);
    expect(videoPackets(output.path)).toHaveLength(50);
    const [source = []] = audioHashes(path);
    expect(audioHashes(output.path)[0]?.length).toBeGreaterThanOrEqual(2 * (source.length - 2));
  });

  it("keep audio with the video", async () => {
    const flash = flashVideo("mp4", 0.5, 1);
    const black = makeVideo(
      "mp4",
      ...testPattern("color=black:size=64x36:rate=50:duration=1", "color"),
      "-f",
      "lavfi",
      "-i",
      "anullsrc=r=48000:cl=mono",
      "-t",
      "1",
      ...h264,
      "-c:a",
      "aac",
    );
    const output = await join([black, black, flash]);
    expect(videoPackets(output.path)).toEqual([black, black, flash].flatMap(videoPackets));
    const { light, beep } = flashTimes(output.path);
    expect(Math.abs(light - 2.5)).toBeLessThan(0.021);
    expect(Math.abs(beep - light)).toBeLessThan(0.02);
  });
});

describe("files of other formats", () => {
  it("are joined at the size of the first, with the right length", async () => {
    const webm = makeVideo(
      "webm",
      ...testPattern("size=96x96:rate=30:duration=1"),
      ...tone(1),
      "-c:v",
      "libvpx-vp9",
      "-deadline",
      "realtime",
      "-c:a",
      "libopus",
      "-ac",
      "1",
    );
    const surround = makeVideo(
      "mkv",
      ...testPattern("size=32x18:rate=12:duration=1"),
      ...tone(1),
      "-c:v",
      "mpeg4",
      "-c:a",
      "ac3",
      "-ac",
      "6",
      "-ar",
      "44100",
    );
    const silent = makeVideo(
      "mov",
      ...testPattern("size=65x37:rate=25:duration=0.52", "testsrc"),
      "-c:v",
      "prores_ks",
    );
    const turned = makeVideo("mp4", "-i", shortVideo(), "-c", "copy", "-metadata:s:v", "rotate=90");
    const output = await join([
      shortVideo(),
      of("webm", webm),
      of("mkv", surround),
      of("mov", silent),
      turned,
    ]);
    const [video] = streamsOf(output.path, "video");
    expect(video).toMatchObject({
      codec_name: "h264",
      width: 320,
      height: 180,
      avg_frame_rate: "30/1",
      pix_fmt: "yuv420p",
    });
    expect(streamsOf(output.path, "audio")[0]).toMatchObject({
      codec_name: "aac",
      channels: 2,
      sample_rate: "48000",
    });
    const frames = frameTimes(output.path).length;
    expect(Math.abs(frames / 30 - 3.52)).toBeLessThan(0.1);
    expectSteady(output.path, frames, 30);
    for (const { duration } of ffprobe(output.path).streams) {
      expect(Math.abs(Number(duration) - frames / 30)).toBeLessThan(0.03);
    }
    expect(
      ffmpeg("-v", "warning", "-xerror", "-i", output.path, "-f", "null", "-").toString(),
    ).toBe("");
    // The rotated video is upright, between black borders.
    const frame = frameAt(output.path, 3.3);
    expect(pixelAt(frame, 10, 90)).toEqual([0, 0, 0]);
    expect(Math.max(...pixelAt(frame, 160, 90), ...pixelAt(frame, 150, 40))).toBeGreaterThan(60);
  });

  it("keep audio with the video", async () => {
    const other = makeVideo(
      "mp4",
      ...testPattern("color=black:size=96x64:rate=24:duration=1.5", "color"),
      "-f",
      "lavfi",
      "-i",
      "anullsrc=r=44100:cl=mono",
      "-t",
      "1.5",
      ...h264,
      "-c:a",
      "aac",
    );
    const output = await join([other, flashVideo("mp4", 0.5, 1), other]);
    const { light, beep } = flashTimes(output.path);
    expect(Math.abs(light - 2)).toBeLessThan(0.021);
    expect(Math.abs(beep - light)).toBeLessThan(0.02);
  });

  it("are joined in the colors of the first", async () => {
    const orange = (size: string, pixelFormat: string, matrix: string, range: string) =>
      makeVideo(
        "mp4",
        ...testPattern(`color=0xC83C1E:size=${size}:rate=10:duration=0.5,format=gbrp`, "color"),
        "-vf",
        `scale=out_color_matrix=${matrix.replace("smpte170m", "bt601")}:out_range=${range}`,
        ...h264,
        "-pix_fmt",
        pixelFormat,
        ...["-colorspace", "-color_primaries", "-color_trc"].flatMap((name) => [name, matrix]),
        "-color_range",
        range,
      );
    const high = orange("64x720", "yuv420p", "bt709", "tv");
    const full = orange("64x720", "yuvj420p", "bt709", "pc");
    const low = orange("64x36", "yuv420p", "smpte170m", "tv");
    const { path } = await join([high, low, full], {
      transition: "fade",
      transition_duration: 0.1,
    });
    const names = ["color_space", "color_primaries", "color_transfer"];
    expect(streamsOf(path, "video")[0]).toMatchObject({
      color_range: "tv",
      ...Object.fromEntries(names.map((name) => [name, "bt709"])),
    });
    const raw = ["-vf", "crop=2:2:32:360", "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"];
    const levels = (from: string, seconds: number) =>
      [...ffmpeg("-ss", `${seconds}`, "-i", from, "-frames:v", "1", ...raw)].slice(3);
    const expected = levels(high, 0);
    for (const [index, level] of levels(path, 1).entries()) {
      expect(Math.abs(level - (expected[index] ?? 0))).toBeLessThan(3);
    }
    // The primaries of BT.601 make this red a little darker in BT.709, its matrix would make it brighter.
    for (const [index, level] of levels(path, 0.6).entries()) {
      expect(Math.abs(level - (expected[index] ?? 0))).toBeLessThan(6);
    }
  });

  it.each([
    ["packed", "mov", "64x720", "bt709", "uyvy422", []],
    ["in 4:1:1", "mkv", "854x480", "bt601", "yuv411p", []],
    ["in 4:1:0", "mkv", "64x36", "bt601", "yuv410p", []],
    ["in SMPTE 240M", "mkv", "64x720", "smpte240m", "yuv420p", ["-colorspace", "smpte240m"]],
  ] as const)("%s have their colors", async (_, type, size, matrix, pixelFormat, tags) => {
    const source = (color: string) =>
      testPattern(`color=${color}:size=${size}:rate=10:duration=0.5,format=gbrp`, "color");
    const encode = ["-c:v", type === "mov" ? "rawvideo" : "ffv1", "-pix_fmt", pixelFormat, ...tags];
    const scale = `scale=out_color_matrix=${matrix}:out_range=tv`;
    const other = makeVideo(type, ...source("0x3C8C28"), "-vf", scale, ...encode);
    const high = ["-colorspace", "-color_primaries", "-color_trc"].flatMap((name) => [
      name,
      "bt709",
    ]);
    const first = makeVideo(
      "mp4",
      ...testPattern("color=black:size=66x720:rate=10:duration=0.5", "color"),
      ...h264,
      ...high,
    );
    const { path } = await join([first, of(type, other)]);
    const raw = ["-vf", "crop=2:2:32:360,scale=in_color_matrix=bt709,format=rgb24"];
    const pixel = ffmpeg(
      ...["-ss", "0.8", "-i", path, "-frames:v", "1", ...raw, "-f", "rawvideo", "-"],
    );
    // Those of BT.709, after the conversion of the primaries.
    const expected = matrix === "bt709" ? [60, 140, 40] : [67, 137, 37];
    for (const [index, level] of expected.entries()) {
      expect(Math.abs((pixel[index] ?? 0) - level), [...pixel.subarray(0, 3)].join()).toBeLessThan(
        4,
      );
    }
  });

  it("without any audio have none", async () => {
    const [first, second] = [
      "size=64x36:rate=10:duration=0.5",
      "size=32x32:rate=25:duration=0.5",
    ].map((size) => makeVideo("mp4", ...testPattern(size), ...h264));
    const output = await join([first ?? "", second ?? ""]);
    expect(streamsOf(output.path, "audio")).toHaveLength(0);
    expect(Math.abs(output.seconds - 1)).toBeLessThan(0.05);
  });
});

describe("a transition", () => {
  it.each(["fade", "dissolve", "wipe"])(
    "%s shows both videos on its frames, and only there",
    async (transition) => {
      const output = await join([colored("red"), colored("blue", 880), colored("lime")], {
        transition,
        transition_duration: 0.4,
      });
      expect(Math.abs(output.seconds - 2.2)).toBeLessThan(0.03);
      expectSteady(output.path, 55, 25);
      const frames = framesOf(output.path, 64, 36);
      const colors = (seconds: number) => {
        // The first frame at or after this time.
        const { data, width, height } = frames[Math.ceil(seconds * 25)] ?? noFrame();
        const sum = [0, 0, 0];
        for (const [index, value] of data.entries()) sum[index % 3] = (sum[index % 3] ?? 0) + value;
        return sum.map((value) => Math.round(value / width / height / 2.55));
      };
      expect(colors(0.5)[0]).toBeGreaterThan(95);
      expect(colors(0.5)[2]).toBeLessThan(4);
      // From 0.6 to 1 s; half of it at 0.8 s.
      const [red = 0, , blue = 0] = colors(0.8);
      expect(Math.abs(red - 50)).toBeLessThan(14);
      expect(Math.abs(blue - 50)).toBeLessThan(14);
      expect(colors(1.06)[2]).toBeGreaterThan(95);
      expect(colors(1.06)[0]).toBeLessThan(4);
      expect(colors(1.9)[1]).toBeGreaterThan(95);
    },
  );

  it("is at most half of a video", async () => {
    const output = await join([colored("red"), colored("blue"), colored("lime")], {
      transition: "fade",
      transition_duration: 5,
    });
    expect(Math.abs(output.seconds - (3 - 24 / 25))).toBeLessThan(0.04);
  });

  it.each([
    ["a slideshow", [0, 4, 5, 19], 19.04],
    ["a slideshow whose audio lasts longer", [0, 4, 5], 12],
  ])("of %s shows every slide on time, and both videos", async (_, times, seconds) => {
    const path = slideshow("mp4", times, seconds);
    const output = await join([path, path], { transition: "fade" });
    expect(output.seconds).toBeCloseTo(2 * seconds - 1, 1);
    expect(Number(streamsOf(output.path, "audio")[0]?.duration)).toBeCloseTo(2 * seconds - 1, 1);
    const frames = frameTimes(output.path).length;
    expectSteady(output.path, frames, 25);
    const gray = (at: number) => pixelAt(frameAt(output.path, at), 30, 20)[0];
    const [first, second, third] = [gray(0), gray(4.1), gray(5.1)];
    expect(second - first).toBeGreaterThan(30);
    expect(third - second).toBeGreaterThan(5);
    expect(gray(3.9)).toBe(first);
    expect(gray(4.9)).toBe(second);
    // The second video starts a second before the first ends.
    const last = gray(seconds - 1.1);
    const middle = gray(seconds - 0.5);
    expect(Math.abs(middle - (first + last) / 2)).toBeLessThan(last / 4);
    expect(gray(seconds + 0.1)).toBeLessThan(first + 3);
    expect(gray(seconds - 1 + 4.1)).toBe(second);
  });

  it("crossfades the audio", async () => {
    const output = await join([colored("red", 440), colored("blue", 2000)], {
      transition: "fade",
      transition_duration: 0.4,
    });
    const level = (seconds: number, frequency: number) => {
      const filter = `bandpass=f=${frequency}:width_type=h:w=100`;
      const bytes = ffmpeg(
        "-ss",
        `${seconds}`,
        "-t",
        "0.05",
        "-i",
        output.path,
        "-af",
        filter,
        "-ac",
        "1",
        "-f",
        "f32le",
        "-",
      );
      const samples = new Float32Array(new Uint8Array(bytes).buffer);
      return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
    };
    expect(level(0.3, 440)).toBeGreaterThan(level(0.3, 2000) * 5);
    expect(level(1.2, 2000)).toBeGreaterThan(level(1.2, 440) * 5);
    expect(level(0.8, 440) / level(0.3, 440)).toBeGreaterThan(0.4);
    expect(level(0.8, 2000) / level(1.2, 2000)).toBeGreaterThan(0.4);
  });
});

it.each([{}, { transition: "fade", transition_duration: 0.5 }])(
  "joins the chapters: %j",
  async (params) => {
    const file = { path: videoWithText(), type: "mkv" } as const;
    const { path } = await join([file, file], params);
    const titles = ffprobe(path).chapters.map(({ tags }) => tags?.title);
    expect(titles).toEqual(["One", "Two", "One", "Two"]);
    const start = Number(ffprobe(path).chapters[2]?.start_time);
    expect(start).toBeCloseTo("transition" in params ? 1.5 : 2, 1);
  },
);

it("a damaged file is an error", async () => {
  const path = makeVideo("m4a", ...tone(0.5), "-c:a", "aac");
  await expect(join([sampleVideo(), path])).rejects.toMatchObject({
    code: "unsupported_type",
    message: expect.stringMatching(/^Input 2, [^:]+: /),
  });
});

it.each([{ transition: "star" }, { transition_duration: 0 }, { transition_duration: 6 }])(
  "%j is rejected",
  (params) => {
    expect(concat.params.safeParse(params).success).toBe(false);
  },
);
