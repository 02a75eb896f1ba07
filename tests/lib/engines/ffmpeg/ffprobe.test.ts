import { readFileSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseInfo, probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { checkMediaLimits } from "#lib/engines/ffmpeg/limits.ts";
import type { MediaInfo } from "#lib/engines/ffmpeg/media-info.ts";
import { isTruncated } from "#lib/engines/ffmpeg/truncated.ts";
import { buildBadInput } from "#tests/hostile/bad-input.ts";
import { badVideos } from "#tests/hostile/media/bad-videos.ts";
import {
  ffprobe,
  h264,
  makeVideo,
  sampleVideo,
  testPattern,
  tone,
  videoFolder,
  videoWithText,
} from "#tests/samples/videos.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

async function inspect(path: string, extension = "mp4"): Promise<MediaInfo> {
  const work = temporaryWorkFolder();
  const file = work.input(extension);
  await copyFile(path, file.path);
  return probe(file, work, new AbortController().signal);
}

const badVideo = async (id: string) => {
  const row = badVideos.find((one) => one.id === id);
  if (!row) throw new Error(`no row ${id}`);
  return (await buildBadInput(row)).path;
};

describe("probe", () => {
  it("returns numbers as numbers", async () => {
    const info = await inspect(sampleVideo());
    expect(info).toMatchObject({ duration: 2, encrypted: false, chapters: [] });
    expect(info.streams[0]).toMatchObject({
      index: 0,
      type: "video",
      codec: "h264",
      pixelFormat: "yuv420p",
      width: 320,
      height: 180,
      averageFrameRate: { numerator: 25, denominator: 1 },
      rotation: 0,
      attachedPicture: false,
    });
    expect(info.streams[1]).toMatchObject({
      index: 1,
      type: "audio",
      codec: "aac",
      sampleRate: 48_000,
      channels: 1,
      channelLayout: "mono",
      disposition: { default: 1 },
    });
  });

  it.each([["frag_keyframe+empty_moov"], ["frag_keyframe+dash+global_sidx"], ["faststart"]])(
    "measures the duration of a truncated file (%s)",
    async (flags) => {
      const path = makeVideo(
        "mp4",
        ...testPattern("size=64x36:rate=10:duration=8"),
        ...h264,
        ...["-g", "20", "-movflags", flags],
      );
      const cut = join(videoFolder(), `truncated-${flags}.mp4`);
      const whole = readFileSync(path);
      writeFileSync(cut, whole.subarray(0, Math.floor(whole.length * 0.6)));
      const { packets } = ffprobe(cut);
      const { duration = 0 } = await inspect(cut);
      expect(duration).toBeCloseTo(packets.length / 10, 1);
      expect(duration).toBeLessThan(6);
    },
  );

  it("does not measure a file with padding after its last box", async () => {
    const path = makeVideo("mov", ...testPattern("size=64x36:rate=10:duration=2"), ...h264);
    const padded = join(videoFolder(), "padded.mov");
    writeFileSync(padded, Buffer.concat([readFileSync(path), Buffer.alloc(4)]));
    expect(await isTruncated(padded)).toBe(false);
    writeFileSync(padded, readFileSync(path).subarray(0, -4));
    expect(await isTruncated(padded)).toBe(true);
  });

  it("returns subtitles, chapters and tags", async () => {
    const info = await inspect(videoWithText(), "mkv");
    expect(info.tags.title).toBe("A video");
    expect(info.chapters).toEqual([
      { start: 0, end: 1, title: "One" },
      { start: 1, end: 2, title: "Two" },
    ]);
    expect(info.streams.map((stream) => stream.type)).toEqual(["video", "audio", "subtitle"]);
  });

  it.each([
    ["90", [90, 270]],
    ["180", [180]],
  ])("returns the rotation (%s)", async (degrees, allowed) => {
    const path = makeVideo(
      "mp4",
      "-i",
      sampleVideo(),
      "-c",
      "copy",
      "-metadata:s:v",
      `rotate=${degrees}`,
    );
    expect(allowed).toContain((await inspect(path)).streams[0]?.rotation);
  });

  it.each([
    "a header that declares 100 hours",
    "a Matroska stream without a duration",
    "fragments",
  ])("measures the duration by the packets: %s", async (id) => {
    const { duration } = await inspect(await badVideo(id), "mkv");
    expect(duration).toBeGreaterThan(0.9);
    expect(duration).toBeLessThan(1.1);
  });
});

describe("the duration of a stream in Matroska", () => {
  it("is its own, without the time before it", async () => {
    const video = ["-itsoffset", "0.5", ...testPattern("size=32x32:rate=10:duration=1")];
    const info = await inspect(makeVideo("mkv", ...video, ...tone(3), ...h264), "mkv");
    expect(info.duration).toBeCloseTo(3, 1);
    expect(info.streams[0]?.duration).toBeCloseTo(1, 2);
    expect(info.streams[1]?.duration).toBeCloseTo(3, 1);
  });

  it.each([
    ["mkvmerge", { "DURATION-eng": "00:01:02.500000000" }, 62.5],
    ["mkvmerge", { "DURATION-eng": "09:00:00.000" }, 100],
    ["mkvmerge", { DURATION: "a minute" }, undefined],
    ["Lavf59.27.100", { DURATION: "00:01:02.500", "DURATION-eng": "00:00:09.000" }, 61.5],
    ["Lavf59.27.100", { "DURATION-eng": "00:00:09.000" }, undefined],
  ])("is read from tags of %s: %j", (encoder, tags, duration) => {
    const format = {
      format_name: "matroska,webm",
      duration: "100.000",
      tags: { ENCODER: encoder },
    };
    const streams = [{ index: 0, codec_type: "video", start_time: "1.000", tags }];
    expect(parseInfo(JSON.stringify({ format, streams })).streams[0]?.duration).toBe(duration);
  });
});

describe("requireVideo", () => {
  it("returns the first video stream that is not cover art", async () => {
    const cover = makeVideo("png", ...testPattern("size=32x32"), "-frames:v", "1");
    const path = makeVideo(
      "mp4",
      "-i",
      cover,
      ...testPattern("size=96x54:rate=10:duration=1"),
      "-map",
      "0",
      "-map",
      "1",
      "-c:v:0",
      "copy",
      "-disposition:v:0",
      "attached_pic",
      "-c:v:1",
      "libx264",
    );
    expect(requireVideo(await inspect(path))).toMatchObject({ width: 96, height: 54 });
  });

  it("rejects an audio file", async () => {
    const info = await inspect(makeVideo("m4a", ...tone(0.5), "-c:a", "aac"), "m4a");
    expect(() => requireVideo(info)).toThrow(expect.objectContaining({ code: "unsupported_type" }));
  });
});

describe("a file that exceeds a limit is too complex", () => {
  const base = async () =>
    inspect(
      makeVideo("mp4", ...testPattern("size=32x32:rate=5:duration=0.4"), ...tone(0.4), ...h264),
    );

  it.each<[string, (info: MediaInfo) => MediaInfo]>([
    ["duration", (info) => ({ ...info, duration: 86_401 })],
    [
      "streams",
      (info) => ({
        ...info,
        streams: Array.from({ length: 65 }, () => info.streams[0] ?? never()),
      }),
    ],
    ["pixels", (info) => withStream(info, { width: 9000, height: 9000 })],
    ["width", (info) => withStream(info, { width: 20_000, height: 2 })],
    [
      "frame rate",
      (info) => withStream(info, { averageFrameRate: { numerator: 2000, denominator: 1 } }),
    ],
    ["channels", (info) => withStream(info, { channels: 255 })],
    ["sample rate", (info) => withStream(info, { sampleRate: 2_000_000 })],
  ])("by its %s", async (_, change) => {
    const info = await base();
    expect(() => checkMediaLimits(info)).not.toThrow();
    expect(() => checkMediaLimits(change(info))).toThrow(
      expect.objectContaining({ code: "too_complex" }),
    );
  });
});

function never(): never {
  throw new Error("no stream");
}

function withStream(info: MediaInfo, change: Partial<MediaInfo["streams"][number]>): MediaInfo {
  const [first = never(), ...rest] = info.streams;
  return { ...info, streams: [{ ...first, ...change }, ...rest] };
}
