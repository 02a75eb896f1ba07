import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { podcastVisual } from "#lib/operations/pipeline/podcast-visual/index.ts";
import { type AudioRecipe, makeAudio } from "#tests/samples/audio.ts";
import {
  boxOf,
  type Frame,
  ffmpeg,
  ffprobe,
  frameAt,
  pixelAt,
  streamsOf,
  videoFolder,
} from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const small = { width: 640, height: 320 };

async function make(sample: Sample, params: Record<string, unknown> = {}, image?: Sample) {
  const files: Record<string, Sample> = image ? { image } : {};
  const run = await runOperation(podcastVisual, sample, { ...small, ...params }, files);
  const [output] = run.outputs;
  if (!output || run.outputs.length > 1) throw new Error("not one output");
  return output;
}

const noise = (recipe: AudioRecipe = {}) => ({
  source: "anoisesrc=c=pink:a=0.6:seed=3:r=44100",
  duration: 0.5,
  ...recipe,
});
const colors = { background_color: "#102030", wave_color: "#ff0000" };
const isRed = (red: number, green: number, blue: number) => red - Math.max(green, blue) > 60;
const isNear = (frame: Frame, x: number, y: number, color: readonly number[]) =>
  pixelAt(frame, x, y).every((value, index) => Math.abs(value - (color[index] ?? 0)) < 8);

describe("the audio", () => {
  test.each(["mp3", "opus"] as const)("of %s is copied, in full", async (type) => {
    const sample = makeAudio(type, noise());
    const output = await make(sample, colors);
    const packets = (path: string) =>
      ffmpeg("-i", path, "-map", "0:a", "-c", "copy", "-f", "streamhash", "-").toString();
    expect(packets(output.path)).toBe(packets(sample.path));
    const video = streamsOf(output.path, "video")[0];
    expect(video).toMatchObject({ codec_name: "h264", pix_fmt: "yuv420p", ...small });
    expect(Math.abs(Number(video?.duration) - 0.5)).toBeLessThan(0.08);
    expect(output).toMatchObject(small);
  });

  test("that MP4 cannot hold becomes AAC; tags stay", async () => {
    const sample = makeAudio("wav", noise({ channels: 2, tags: { title: "Grüße" } }));
    const { path } = await make(sample, { ...colors, style: "line" });
    expect(streamsOf(path, "audio")[0]).toMatchObject({ codec_name: "aac", channels: 2 });
    expect(ffprobe(path).format.tags?.title).toBe("Grüße");
    const bytes = readFileSync(path);
    expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
  });
});

describe("the wave", () => {
  /** Half a second of noise, then as long without sound. */
  const halves = () =>
    makeAudio("mp3", {
      source: "aevalsrc='if(lt(t,0.5),0.7*(random(0)-0.5),0)':s=44100",
      duration: 1.1,
    });

  test.each(["bars", "circle", "line"])("of the style %s moves with the audio", async (style) => {
    const { path } = await make(halves(), { ...colors, style });
    const loud = frameAt(path, 0.2);
    const later = frameAt(path, 0.4);
    const silent = frameAt(path, 1);
    const [first, second, rest] = [loud, later, silent].map((frame) => boxOf(frame, isRed));
    expect(first?.count).toBeGreaterThan((rest?.count ?? 0) * 1.2);
    expect(Buffer.compare(loud.data, later.data)).not.toBe(0);
    expect(second?.count).toBeGreaterThan(0);
    // At rest it is still there.
    expect(rest?.count).toBeGreaterThan(20);
    // In the middle of the frame, as there is nothing else, and nowhere else.
    const { left = 0, right = 0, top = 0, bottom = 0 } = first ?? {};
    expect(Math.abs(left + right - 640)).toBeLessThan(16);
    expect(Math.abs(top + bottom - 320)).toBeLessThan(style === "line" ? 60 : 16);
    for (const [x, y] of [
      [3, 3],
      [636, 316],
      [320, 8],
    ] as const) {
      expect(isNear(silent, x, y, [0x10, 0x20, 0x30])).toBe(true);
    }
  });
});

describe("the scene", () => {
  test("shows the title and the artist", async () => {
    const tags = { title: "Hello harbor & <b>sea</b>", artist: "Ann Example" };
    const { path } = await make(makeAudio("mp3", noise({ tags })), {
      width: 1280,
      height: 720,
      background_color: "#ffffff",
    });
    const image = `${videoFolder()}/title.png`;
    ffmpeg("-i", path, "-frames:v", "1", image);
    const text = `${execProgram("tesseract", [image, "stdout"])}`;
    expect(text).toContain("Hello harbor & <b>sea</b>");
    expect(text).toContain("Ann Example");
  });

  test("shows the cover of the file, or else the image", async () => {
    const sample = makeAudio("mp3", noise({ cover: true }));
    const params = { background_color: "#000000", wave_color: "#ffffff" };
    const cover = boxOf(frameAt((await make(sample, params)).path), isRed);
    expect(cover?.count).toBeGreaterThan(150 * 150);
    expect((cover?.right ?? 640) < 320).toBe(true);
    const image = `${videoFolder()}/green.png`;
    ffmpeg("-f", "lavfi", "-i", "color=lime:size=90x160", "-frames:v", "1", image);
    const shown = frameAt((await make(sample, params, { path: image, type: "png" })).path);
    expect(boxOf(shown, isRed)).toBeUndefined();
    const green = boxOf(shown, (red, g, blue) => g > 200 && red < 60 && blue < 60);
    expect(Math.abs((green?.right ?? 0) - (green?.left ?? 0))).toBe(
      (green?.bottom ?? 1) - (green?.top ?? 0),
    );
  });
});

test("a file without audio, and a damaged one, are errors", async () => {
  const silent = makeAudio("mp4", { video: true, options: ["-an"] });
  await expect(make(silent)).rejects.toMatchObject({ code: "unsupported_type" });
  const path = `${videoFolder()}/damaged.mp3`;
  writeFileSync(path, "ID3 nothing");
  await expect(make({ path, type: "mp3" })).rejects.toMatchObject({ code: "corrupt" });
});

test.each([{ style: "dots" }, { width: 641 }, { height: 318 }, { wave_color: "red" }, { fps: 30 }])(
  "%j is rejected",
  (params) => {
    expect(podcastVisual.params.safeParse(params).success).toBe(false);
  },
);
