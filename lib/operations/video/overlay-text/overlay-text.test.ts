import { describe, expect, it } from "vitest";
import { overlayText } from "#lib/operations/video/overlay-text/index.ts";
import { partsOf, richVideo } from "#tests/samples/rich-video.ts";
import {
  audioHashes,
  boxOf,
  ffprobe,
  frameAt,
  h264,
  makeVideo,
  pixelAt,
  shortVideo,
  ssim,
  streamsOf,
  testPattern,
  tone,
  topBoxes,
  videoWithText,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

const gray = testPattern("color=gray:size=320x180:rate=10:duration=1", "color");
const red = { color: "#ff0000", fontsize: 40 };
const isRed = (r: number, g: number, b: number) => r > 150 && g < 90 && b < 90;

async function overlay(
  path: string,
  params: Record<string, unknown>,
  type: "mp4" | "webm" | "mkv" | "avi" | "mov" | "mpegts" = "mp4",
) {
  const run = await runOperation(overlayText, { path, type }, params);
  const [output] = run.outputs;
  if (!output) throw new Error("no output");
  return { ...output, progress: run.progress };
}

describe("the text", () => {
  it("starts at x and y in the requested color, on every frame", async () => {
    const output = await overlay(makeVideo("mp4", ...gray, ...h264), {
      text: "HIH",
      x: 60,
      y: 50,
      ...red,
    });
    for (const seconds of [0, 0.5, 0.9]) {
      const box = boxOf(frameAt(output.path, seconds), isRed);
      expect(box?.left).toBeGreaterThanOrEqual(58);
      expect(box?.left).toBeLessThanOrEqual(62);
      expect(box?.top).toBeGreaterThanOrEqual(48);
      expect(box?.top).toBeLessThanOrEqual(52);
      expect((box?.bottom ?? 0) - (box?.top ?? 0)).toBeGreaterThan(22);
    }
  });

  it("does not change the rest of the frame", async () => {
    const output = await overlay(shortVideo(), { text: "Hi", x: 10, y: 10 });
    expect(ssim(shortVideo(), output.path, "crop=320:120:0:60")).toBeGreaterThan(0.98);
  });

  it("may be blank", async () => {
    const black = testPattern("color=black:size=160x90:rate=10:duration=0.3", "color");
    const output = await overlay(makeVideo("mp4", ...black, ...h264), {
      text: "   ",
      fontsize: 20,
    });
    expect(boxOf(frameAt(output.path), (r, g, b) => r + g + b > 200)).toBeUndefined();
  });

  it.each([
    ["beyond the right edge", { x: 5000, y: 10 }],
    ["beyond the bottom", { x: 10, y: 5000 }],
    ["at the last pixel", { x: 319, y: 179 }],
    ["larger than the frame", { x: 0, y: 0, fontsize: 500 }],
  ])("is moved or shrunk if it is %s", async (_, place) => {
    const path = makeVideo("mp4", ...gray, ...h264);
    const output = await overlay(path, { text: "Hello world", ...red, ...place });
    expect(boxOf(frameAt(output.path), (r, g) => r > g + 40)?.count).toBeGreaterThan(20);
  });

  it("keeps a right margin of 3 % if a word is longer than the line", async () => {
    const path = makeVideo("mp4", ...gray, ...h264);
    const output = await overlay(path, {
      text: "l".repeat(200),
      x: 20,
      y: 20,
      ...red,
      fontsize: 24,
    });
    const box = boxOf(frameAt(output.path), isRed);
    expect(box?.right).toBeGreaterThan(270);
    expect(box?.right).toBeLessThan(315);
  });

  it("is upright at x and y of a frame that players rotate", async () => {
    const flat = makeVideo("mp4", ...gray, ...h264);
    const turned = makeVideo("mp4", "-i", flat, "-c", "copy", "-metadata:s:v", "rotate=90");
    const output = await overlay(turned, { text: "HIH", x: 20, y: 30, ...red });
    const frame = frameAt(output.path);
    expect([frame.width, frame.height, output.width, output.height]).toEqual([180, 320, 180, 320]);
    const box = boxOf(frame, isRed);
    expect(box?.left).toBeCloseTo(20, -1);
    expect(box?.top).toBeCloseTo(30, -1);
    expect(ffprobe(output.path).streams[0]?.side_data_list).toBeUndefined();
  });
});

describe("the video", () => {
  it("is H.264 in an MP4 that plays while it is downloaded", async () => {
    const output = await overlay(shortVideo(), { text: "Hi" });
    const [video] = streamsOf(output.path, "video");
    expect(video).toMatchObject({
      codec_name: "h264",
      pix_fmt: "yuv420p",
      width: 320,
      height: 180,
    });
    const boxes = topBoxes(output.path);
    expect(boxes.indexOf("moov")).toBeLessThan(boxes.indexOf("mdat"));
    expect(output).toMatchObject({ width: 320, height: 180, duration: 0.5 });
    expect(Math.max(...output.progress)).toBeGreaterThan(90);
  });

  it("stays WebM with VP9 if the input is WebM", async () => {
    const path = makeVideo(
      "webm",
      ...testPattern("size=160x90:rate=10:duration=1"),
      ...tone(1),
      "-c:v",
      "libvpx",
      "-c:a",
      "libvorbis",
    );
    const output = await overlay(path, { text: "Hi" }, "webm");
    expect(ffprobe(output.path).format.format_name).toContain("webm");
    expect(streamsOf(output.path, "video")[0]?.codec_name).toBe("vp9");
    expect(audioHashes(output.path)).toEqual(audioHashes(path));
  });

  it("keeps a WebM's transparency", async () => {
    const clear = testPattern(
      "color=red@0.0:size=160x90:rate=10:duration=0.5,format=yuva420p",
      "color",
    );
    const path = makeVideo("webm", ...clear, "-c:v", "libvpx-vp9", "-auto-alt-ref", "0");
    const output = await overlay(path, { text: "Hi" }, "webm");
    expect(
      streamsOf(output.path, "video")[0]?.tags?.alpha_mode ??
        streamsOf(output.path, "video")[0]?.tags?.ALPHA_MODE,
    ).toBe("1");
  });

  it.each([
    ["333x77", 334, 78],
    ["1x1", 2, 2],
    ["64x63", 64, 64],
  ])(
    "may be %s; a column or row is repeated to make the size even",
    async (size, width, height) => {
      const path = makeVideo(
        "mkv",
        ...testPattern(`size=${size}:rate=10:duration=0.3`, "testsrc"),
        "-c:v",
        "ffv1",
        "-pix_fmt",
        "yuv444p",
      );
      const output = await overlay(path, { text: "Hi" }, "mkv");
      expect(streamsOf(output.path, "video")[0]).toMatchObject({ width, height });
    },
  );

  it.each(["bt709", "smpte170m"])("renders the right color over %s", async (matrix) => {
    const convert = `scale=out_color_matrix=${matrix},format=yuv420p`;
    const path = makeVideo(
      "mp4",
      ...gray,
      "-vf",
      convert,
      ...h264,
      "-colorspace",
      matrix,
      "-color_primaries",
      matrix,
      "-color_trc",
      matrix,
    );
    const output = await overlay(path, {
      text: "▇▇▇",
      x: 60,
      y: 50,
      color: "#00c800",
      fontsize: 60,
    });
    const frame = frameAt(output.path);
    const box = boxOf(frame, (r, g) => g > r + 60);
    const [r, g, b] = pixelAt(
      frame,
      ((box?.left ?? 0) + (box?.right ?? 0)) >> 1,
      ((box?.top ?? 0) + (box?.bottom ?? 0)) >> 1,
    );
    for (const [is, should] of [
      [r, 0],
      [g, 200],
      [b, 0],
    ] as const)
      expect(Math.abs(is - should)).toBeLessThan(12);
  });
});

describe("other streams", () => {
  it("keeps everything of a video in HDR, upright", async () => {
    const output = await overlay(richVideo(), { text: "Hi" });
    const expected = { ...partsOf(richVideo()), size: [36, 64], rotation: undefined };
    expect(partsOf(output.path)).toEqual(expected);
    expect(audioHashes(output.path)).toEqual(audioHashes(richVideo()));
    expect(streamsOf(output.path, "video")[0]?.codec_tag_string).toBe("hvc1");
  });

  it("converts audio that MP4 does not support to AAC", async () => {
    const path = makeVideo(
      "avi",
      ...testPattern(),
      ...tone(),
      "-c:v",
      "mpeg4",
      "-c:a",
      "pcm_s16le",
    );
    const output = await overlay(path, { text: "Hi" }, "avi");
    expect(streamsOf(output.path, "audio")[0]?.codec_name).toBe("aac");
    expect(Number(ffprobe(output.path).format.duration)).toBeCloseTo(2, 1);
  });

  it("makes other subtitles those of MP4", async () => {
    const output = await overlay(videoWithText(), { text: "Hi" }, "mkv");
    expect(streamsOf(output.path, "subtitle")[0]?.codec_name).toBe("mov_text");
    expect(ffprobe(output.path).chapters).toHaveLength(2);
  });
});
