import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { extractSubtitles } from "#lib/operations/video/extract-subtitles/index.ts";
import { h264, makeVideo, sampleVideo, testPattern, videoFolder } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function extract(path: string, params: Record<string, unknown> = {}) {
  const type = mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;
  const { outputs, result } = await runOperation(extractSubtitles, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return { extension: output.extension, text: readFileSync(output.path, "utf8"), result };
}

const srt =
  "1\n00:00:00,250 --> 00:00:01,500\nHello <i>there</i>\nمرحبا\n\n" +
  "2\n00:00:01,600 --> 00:00:01,900\n湖 & more\n";

function write(name: string, text: string): string {
  const path = join(videoFolder(), name);
  writeFileSync(path, text);
  return path;
}

const small = testPattern("size=64x36:rate=10:duration=2");

/** A video with `srt` as a track. */
function withTrack(extension: string, codec: string, ...options: string[]): string {
  const video = extension === "webm" ? ["-c:v", "libvpx", "-deadline", "realtime"] : h264;
  const inputs = [...small, "-i", write("track.srt", srt), "-map", "0", "-map", "1"];
  return makeVideo(extension, ...inputs, ...video, "-c:s", codec, ...options);
}

describe("a track", () => {
  it.each([
    ["mkv", "srt"],
    ["mp4", "mov_text"],
    ["mov", "mov_text"],
    ["webm", "webvtt"],
    ["mkv", "ass"],
    ["mkv", "webvtt"],
  ])("of %s in %s becomes the same SRT", async (extension, codec) => {
    const { text, result } = await extract(withTrack(extension, codec));
    expect(text).toBe(srt);
    expect(result?.cues).toBe(2);
  });

  it.each(["srt", "vtt", "ass"])("becomes %s", async (format) => {
    const { text, extension } = await extract(withTrack("mkv", "srt"), { format });
    expect(extension).toBe(format);
    expect(text).toMatch(
      { srt: /^1\n00:/, vtt: /^WEBVTT\n/, ass: /^\[Script Info\]/ }[format] ?? /x/,
    );
    expect(text).toContain("مرحبا");
  });

  it("of ASS keeps its styles", async () => {
    const ass =
      "[Script Info]\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Fancy,Arial,77\n\n[Events]\n" +
      "Format: Layer, Start, End, Style, Text\nDialogue: 0,0:00:00.10,0:00:01.00,Fancy,{\\fad(9,9)}Hi\n";
    const inputs = [...small, "-i", write("styles.ass", ass), "-map", "0", "-map", "1"];
    const { text } = await extract(makeVideo("mkv", ...inputs, ...h264, "-c:s", "copy"), {
      format: "ass",
    });
    expect(text).toContain("Style: Fancy,Arial,77");
    expect(text).toContain("{\\fad(9,9)}Hi");
  });

  it("is the default one, or that of the number", async () => {
    const second = write("second.srt", "1\n00:00:00,100 --> 00:00:01,000\nSecond\n");
    const inputs = [...small, "-i", write("track.srt", srt), "-i", second];
    const maps = ["-map", "0", "-map", "1", "-map", "2", ...h264, "-c:s", "srt"];
    const tags = ["-metadata:s:s:1", "language=fra", "-metadata:s:s:1", "title=Forced"];
    const flags = ["-disposition:s:0", "0", "-disposition:s:1", "default"];
    const path = makeVideo("mkv", ...inputs, ...maps, ...tags, ...flags);
    const { text, result } = await extract(path);
    expect(text).toContain("Second");
    expect(result).toEqual({ cues: 1, language: "fra", title: "Forced" });
    expect((await extract(path, { track: 1 })).text).toBe(srt);
    await expect(extract(path, { track: 3 })).rejects.toMatchObject({ code: "unsupported_type" });
  });
});

it("rejects a video without subtitles", async () => {
  await expect(extract(sampleVideo())).rejects.toMatchObject({
    code: "unsupported_type",
    message: "The file has no subtitles.",
  });
});
