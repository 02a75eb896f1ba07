import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { subtitles } from "#lib/operations/video/subtitles/index.ts";
import {
  audioHashes,
  boxOf,
  ffmpeg,
  ffprobe,
  frameAt,
  framesOf,
  frameTimes,
  h264,
  makeVideo,
  pixelAt,
  sampleVideo,
  ssim,
  streamsOf,
  testPattern,
  tone,
  videoFolder,
  videoWithText,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

let files = 0;

async function add(
  path: string,
  text: string,
  params: Record<string, unknown> = {},
  format: "srt" | "vtt" | "ass" = "srt",
) {
  const file = join(videoFolder(), `track-${files++}.${format}`);
  writeFileSync(file, text);
  const type = mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;
  const parts = { subtitles: { path: file, type: format } };
  const { outputs } = await runOperation(subtitles, { path, type }, params, parts);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

/** An SRT file with one cue of `text`, by default from 0.4 s to 0.8 s. */
const cue = (text: string, times = "00:00:00,400 --> 00:00:00,800") => `1\n${times}\n${text}\n`;

/** With frames at 0.4 and 0.6 s during the cue. */
const gray = (options = "size=320x180:rate=5:duration=1.2", ...more: string[]) =>
  makeVideo("mp4", ...testPattern(`color=gray:${options}`, "color"), ...h264, ...more);

const isBright = (r: number, g: number, b: number) => Math.min(r, g, b) > 200;
const isDrawn = (r: number) => Math.abs(r - 128) > 40;
const boxAt = (path: string, seconds: number, test = isBright) =>
  boxOf(frameAt(path, seconds), test);
const duringCue = 0.5;

/** The samples of the frame at `duringCue`, which ffmpeg writes with `options`. */
const rawFrame = (path: string, ...options: string[]) => {
  const input = ["-ss", String(duringCue), "-i", path, "-frames:v", "1"];
  return ffmpeg(...input, ...options, "-f", "rawvideo", "-");
};

describe("drawn subtitles", () => {
  it("are on exactly the frames of their time", async () => {
    const { path } = await add(gray("size=160x90:rate=25:duration=1.2"), cue("Hello"));
    const shown = framesOf(path, 160, 90).map((frame) => boxOf(frame, isBright) !== undefined);
    // 25 frames/s: 10 is at 0.4 s, 20 is at 0.8 s, when the text has ended.
    expect(shown).toEqual(Array.from({ length: 30 }, (_, index) => index >= 10 && index < 20));
  });

  it("are at the bottom center, in white with a dark outline", async () => {
    const { path } = await add(gray(), cue("HHHHHH"));
    const box = boxAt(path, duringCue);
    expect(Math.abs((box?.left ?? 0) + (box?.right ?? 0) - 319)).toBeLessThan(8);
    expect(box?.top).toBeGreaterThan(145);
    expect(boxAt(path, duringCue, (r) => r < 90)?.count).toBeGreaterThan(30);
  });

  it.each([
    ["top-left", 0, 0],
    ["top", 1, 0],
    ["right", 2, 1],
    ["center", 1, 1],
    ["bottom-right", 2, 2],
  ])("are at %s", async (position, column, row) => {
    const { path } = await add(gray(), cue("HH"), { position });
    const box = boxAt(path, duringCue, isDrawn);
    const x = ((box?.left ?? 0) + (box?.right ?? 0)) / 2;
    const y = ((box?.top ?? 0) + (box?.bottom ?? 0)) / 2;
    expect([Math.floor(x / 106.7), Math.floor(y / 60)]).toEqual([column, row]);
  });

  it("have the requested size and color", async () => {
    const isGreen = (r: number, g: number, b: number) => g > 180 && r < 110 && b < 110;
    const { path } = await add(gray(), cue("HHH"), { font_size: 40, color: "#00ff00" });
    const box = boxAt(path, duringCue, isGreen);
    // Capital letters of Noto Sans are 0.714 em high.
    expect(Math.abs((box?.bottom ?? 0) - (box?.top ?? 0) - 0.714 * 40)).toBeLessThan(4);
  });

  it("have the requested color in a video in BT.709, too", async () => {
    const filter = ["-vf", "scale=out_color_matrix=bt709,format=yuv420p", "-colorspace", "bt709"];
    const { path } = await add(gray(undefined, ...filter), cue("██"), {
      font_size: 60,
      color: "#40a0e0",
      position: "center",
    });
    const decode = "scale=in_color_matrix=bt709,format=rgb24,crop=2:2:160:90";
    const pixel = rawFrame(path, "-vf", decode);
    for (const [index, expected] of [0x40, 0xa0, 0xe0].entries()) {
      expect(Math.abs((pixel[index] ?? 0) - expected)).toBeLessThan(8);
    }
  });

  it("are drawn in every script, not as missing characters", async () => {
    const texts = [
      ["Arabic", "مرحبا بالعالم", "م ر ح ب ا"],
      ["Hebrew", "שלום עולם", "עולם שלום"],
      ["Chinese", "你好世界", "世界你好"],
      ["Japanese", "こんにちは", "さようなら"],
      ["Korean", "안녕하세요", "감사합니다"],
      ["Hindi", "नमस्ते दुनिया", "न म स ् त े"],
      ["Thai", "สวัสดีชาวโลก", "ขอบคุณ"],
    ] as const;
    // Each text is on one frame.
    const video = gray("size=320x180:rate=2:duration=3.5");
    const draw = async (column: 1 | 2) => {
      const time = (halves: number) =>
        `00:00:0${Math.floor(halves / 2)},${halves % 2 === 0 ? "000" : "500"}`;
      const cues = texts.map((row, at) => cue(row[column], `${time(at)} --> ${time(at + 1)}`));
      const { path } = await add(video, cues.join("\n"), { font_size: 30 });
      return framesOf(path, 320, 180);
    };
    const first = await draw(1);
    const second = await draw(2);
    expect([first.length, second.length]).toEqual([texts.length, texts.length]);
    for (const [at, [script]] of texts.entries()) {
      const one = first[at];
      const other = second[at];
      if (!one || !other) throw new Error("no frame");
      for (const frame of [one, other]) {
        expect(boxOf(frame, isBright)?.count, script).toBeGreaterThan(100);
      }
      const different = one.data.filter(
        (value, index) => Math.abs(value - (other.data[index] ?? 0)) > 60,
      );
      expect(different.length, script).toBeGreaterThan(500);
    }
  });

  it("wrap long lines, with and without spaces", async () => {
    for (const text of ["wonderful ".repeat(12), "湖".repeat(40)]) {
      const { path } = await add(gray(), cue(text), { font_size: 20 });
      const box = boxAt(path, duringCue);
      expect(box?.left).toBeGreaterThan(2);
      expect(box?.right).toBeLessThan(317);
      expect((box?.bottom ?? 0) - (box?.top ?? 0)).toBeGreaterThan(40);
    }
  });

  it("are in the place and style that an ASS file says", async () => {
    const ass = `[Script Info]
PlayResX: 320
PlayResY: 180

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Bold, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV
Style: Big,Arial,40,&H000000FF,1,1,0,0,7,10,10,10

[Events]
Format: Layer, Start, End, Style, Text
Dialogue: 0,0:00:00.40,0:00:00.80,Big,HI{\\pos(200,100)}
`;
    const isRed = (r: number, g: number, b: number) => r > 180 && g < 90 && b < 90;
    const own = await add(gray(), ass, {}, "ass");
    const box = boxAt(own.path, duringCue, isRed);
    expect(box?.left).toBeGreaterThanOrEqual(198);
    expect(box?.top).toBeGreaterThanOrEqual(98);
    const changed = await add(gray(), ass, { color: "#00ff00" }, "ass");
    const isGreen = (r: number, g: number, b: number) => g > 180 && r < 110 && b < 110;
    expect(boxAt(changed.path, duringCue, isGreen)?.count).toBeGreaterThan(50);
  });

  it("follow the settings of WebVTT", async () => {
    const vtt = "WEBVTT\n\n00:00.400 --> 00:00.800 line:0\nHello\n";
    const { path } = await add(gray(), vtt, {}, "vtt");
    expect(boxAt(path, duringCue)?.bottom).toBeLessThan(40);
  });

  it("do not change the other frames, the audio and the frame times", async () => {
    const { path, duration } = await add(sampleVideo(), cue("Hi"));
    expect(ssim(sampleVideo(), path, "crop=320:90:0:0")).toBeGreaterThan(0.98);
    expect(audioHashes(path)).toEqual(audioHashes(sampleVideo()));
    expect(frameTimes(path)).toEqual(frameTimes(sampleVideo()));
    expect(duration).toBeCloseTo(2, 1);
  });

  it("are upright and undistorted", async () => {
    const tall = makeVideo("mp4", "-i", gray(), "-c", "copy", "-metadata:s:v", "rotate=90");
    const { path, width, height } = await add(tall, cue("HHH"));
    expect([width, height]).toEqual([180, 320]);
    const box = boxAt(path, duringCue);
    expect(box?.top).toBeGreaterThan(250);
    const big = { font_size: 40 };
    // The pixels of this video are twice as wide as high.
    const wide = await add(
      gray("size=160x180:rate=5:duration=1.2", "-aspect", "16:9"),
      cue("OOO"),
      big,
    );
    const narrow = boxAt(wide.path, duringCue, isDrawn);
    const plain = boxAt((await add(gray(), cue("OOO"), big)).path, duringCue, isDrawn);
    const widths = [narrow, plain].map((one) => (one?.right ?? 0) - (one?.left ?? 0) + 1);
    expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeGreaterThan(1.7);
    expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeLessThan(2.4);
  });

  it("do not dazzle in HDR", async () => {
    const tags = [
      "-color_primaries",
      "bt2020",
      "-color_trc",
      "smpte2084",
      "-colorspace",
      "bt2020nc",
    ];
    const codec = ["-c:v", "libx265", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p10le"];
    const black = testPattern("color=black:size=320x180:rate=5:duration=1", "color");
    const { path } = await add(makeVideo("mp4", ...black, ...codec, ...tags), cue("HHHH"));
    expect(streamsOf(path, "video")[0]).toMatchObject({
      codec_name: "hevc",
      pix_fmt: "yuv420p10le",
      color_transfer: "smpte2084",
    });
    const luma = rawFrame(path, "-pix_fmt", "gray");
    expect(Math.max(...luma)).toBeGreaterThan(110);
    expect(Math.max(...luma)).toBeLessThan(170);
  });

  it.each([
    ["mkv", ["-c:v", "ffv1"]],
    ["webm", ["-c:v", "libvpx", "-deadline", "realtime"]],
    ["avi", ["-c:v", "mpeg4"]],
  ])("make an MP4 of %s", async (extension, options) => {
    const source = testPattern("size=97x55:rate=10:duration=1", "testsrc");
    const output = await add(makeVideo(extension, ...source, ...tone(1), ...options), cue("Hi"));
    expect(ffprobe(output.path).format.format_name).toContain("mp4");
    expect(streamsOf(output.path, "video")[0]).toMatchObject({ codec_name: "h264" });
  });
});

describe("a track", () => {
  const text = "1\n00:00:00,250 --> 00:00:01,500\nHello <i>there</i>\nمرحبا\n";

  const cuesOf = (path: string, track = 0) =>
    ffmpeg("-i", path, "-map", `0:s:${track}`, "-f", "srt", "-")
      .toString()
      .replaceAll("\r", "")
      .trim();

  it.each<[string, string, string, string[]]>([
    ["mp4", "mp4", "mov_text", [...h264, "-c:a", "aac"]],
    ["mov", "mov", "mov_text", [...h264, "-c:a", "aac"]],
    ["mkv", "mkv", "subrip", [...h264, "-c:a", "aac"]],
    ["webm", "webm", "webvtt", ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]],
    ["avi", "mkv", "subrip", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]],
    ["ts", "mkv", "subrip", [...h264, "-c:a", "aac"]],
    ["mpg", "mkv", "subrip", ["-c:v", "mpeg2video", "-c:a", "mp2"]],
    ["flv", "mkv", "subrip", [...h264, "-c:a", "aac"]],
    ["wmv", "mkv", "subrip", ["-c:v", "wmv2", "-c:a", "wmav2"]],
    ["ogv", "mkv", "subrip", ["-c:v", "libtheora", "-c:a", "libvorbis"]],
  ])("in %s makes a %s with %s, and copies the rest", async (from, to, codec, options) => {
    const source = makeVideo(
      from,
      ...testPattern("size=96x64:rate=25:duration=2"),
      ...tone(2),
      ...options,
    );
    const output = await add(source, text, { burn: false, language: "ar" });
    expect(output.extension).toBe(to);
    const [track] = streamsOf(output.path, "subtitle");
    expect(track?.codec_name).toBe(codec);
    expect(track?.tags?.language).toBe("ara");
    const cues = cuesOf(output.path);
    // The delay of an audio encoder, up to 7 ms, may move all streams of a file.
    expect(cues).toMatch(/00:00:00,25\d --> 00:00:01,50\d/);
    expect(cues.replaceAll(/<[^>]+>/g, "")).toMatch(/Hello there\nمرحبا/);
    const hash = (path: string) =>
      ffmpeg("-i", path, "-map", "0:v", "-f", "streamhash", "-").toString();
    expect(hash(output.path)).toBe(hash(source));
  });

  it("has a language in MOV", async () => {
    const path = makeVideo("mov", ...testPattern("size=64x36:rate=10:duration=1"), ...h264);
    const output = await add(path, text, { burn: false, language: "de" });
    // QuickTime's own code.
    expect(streamsOf(output.path, "subtitle")[0]?.tags?.language).toBe("ger");
  });

  it("comes after the tracks that the video has", async () => {
    const output = await add(videoWithText(), text, { burn: false, language: "deu" });
    expect(streamsOf(output.path, "subtitle")).toHaveLength(2);
    expect(cuesOf(output.path, 0)).toContain("Hello");
    expect(streamsOf(output.path, "subtitle")[1]?.tags?.language).toBe("deu");
    expect(ffprobe(output.path).chapters).toHaveLength(2);
  });

  it("keeps the styles of ASS in MKV", async () => {
    const ass =
      "[Script Info]\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Fancy,Arial,77\n\n[Events]\n" +
      "Format: Layer, Start, End, Style, Text\nDialogue: 0,0:00:00.10,0:00:01.00,Fancy,{\\fad(9,9)}Hi\n";
    const { path } = await add(videoWithText(), ass, { burn: false }, "ass");
    const kept = ffmpeg("-i", path, "-map", "0:s:1", "-c", "copy", "-f", "ass", "-").toString();
    expect(kept).toContain("Style: Fancy,Arial,77");
    expect(kept).toContain("{\\fad(9,9)}Hi");
  });
});

describe("hostile subtitles", () => {
  /** On the only frame of the sample, which is at 0 s. */
  const firstCue = (text: string) => cue(text, "00:00:00,000 --> 00:00:00,800");

  it.each<[string, "srt" | "ass", string]>([
    ["a filter in the text", "srt", firstCue("',drawtext=textfile=/etc/passwd,ass=x='")],
    [
      "an embedded font and a file name",
      "ass",
      "[Script Info]\n[Fonts]\nfontname: ../../etc/passwd\nAAAA\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: A,/etc/passwd,20\n[Events]\nFormat: Start, End, Style, Text\nMovie: 0:00:00.00,0:00:01.00,A,/etc/passwd\nDialogue: 0:00:00.00,0:00:01.00,A,{\\fn/etc/passwd}Hi\n",
    ],
    [
      "a huge font",
      "ass",
      "[Script Info]\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: A,Arial,20\n[Events]\nFormat: Start, End, Style, Text\nDialogue: 0:00:00.00,0:00:01.00,A,{\\fs100000\\blur100\\bord5000}Hi\n",
    ],
    ["thousands of nested tags", "srt", firstCue(`${"<b>".repeat(5000)}x`)],
  ])("with %s are drawn as text or not at all", async (_, format, text) => {
    const { path } = await add(gray("size=96x54:rate=1:duration=1"), text, {}, format);
    const frame = frameAt(path);
    expect(pixelAt(frame, 0, 0)).toHaveLength(3);
    if (format === "srt") expect(boxOf(frame, isDrawn)?.count).toBeGreaterThan(5);
  });
});

it("rejects subtitles without text, and parameters out of range", async () => {
  await expect(add(gray(), "WEBVTT\n", {}, "vtt")).rejects.toMatchObject({ code: "corrupt" });
  for (const bad of [
    { language: "english" },
    { language: "xx" },
    { font_size: 501 },
    { color: "red" },
  ]) {
    expect(subtitles.params.safeParse(bad).success).toBe(false);
  }
});
