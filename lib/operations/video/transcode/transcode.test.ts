import { describe, expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { transcode } from "#lib/operations/video/transcode/index.ts";
import {
  audioHashes,
  ffmpeg,
  ffprobe,
  h264,
  makeVideo,
  sampleVideo,
  smallVideo,
  ssim,
  streamsOf,
  testPattern,
  tone,
  videoWithText,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function convert(path: string, params: Record<string, unknown>, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(transcode, { path, type }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return { ...output, video: streamsOf(output.path, "video")[0] };
}

const formats = ["mp4", "webm", "mkv", "mov"] as const;
const codecs = ["h264", "h265", "vp9", "av1"] as const;
const rejected = ["webm h264", "webm h265", "mov vp9", "mov av1"];

describe("every container and codec", () => {
  const pairs = formats.flatMap((format) => codecs.map((codec) => [format, codec] as const));

  it.each(pairs)("%s with %s works or is rejected before the job starts", async (format, codec) => {
    const params = { format, codec, preset: "ultrafast" };
    const isAccepted = transcode.params.safeParse(params).success;
    expect(isAccepted).toBe(!rejected.includes(`${format} ${codec}`));
    if (!isAccepted) return;
    const output = await convert(smallVideo(), params);
    expect(output.extension).toBe(format);
    expect(output.video).toMatchObject({
      codec_name: codec === "h265" ? "hevc" : codec,
      width: 64,
    });
    expect(ssim(smallVideo(), output.path)).toBeGreaterThan(0.8);
    expect(streamsOf(output.path, "audio")[0]?.codec_name).toBe(format === "webm" ? "opus" : "aac");
  });

  it.each([
    ["mp4", "opus", "opus"],
    ["mp4", "flac", "flac"],
    ["mov", "mp3", "mp3"],
    ["webm", "vorbis", "vorbis"],
    ["mkv", "vorbis", "vorbis"],
  ])("%s with %s audio", async (format, audio, codec) => {
    const output = await convert(smallVideo(), { format, audio_codec: audio, preset: "ultrafast" });
    expect(streamsOf(output.path, "audio")[0]?.codec_name).toBe(codec);
  });
});

describe("streams", () => {
  it("are copied to another container", async () => {
    const output = await convert(sampleVideo(), {
      format: "mkv",
      codec: "copy",
      audio_codec: "copy",
    });
    const hash = (path: string) =>
      ffmpeg(
        "-i",
        path,
        "-map",
        "0:v",
        "-c",
        "copy",
        "-bsf:v",
        "h264_mp4toannexb",
        "-f",
        "streamhash",
        "-",
      ).toString();
    expect(hash(output.path)).toBe(hash(sampleVideo()));
    expect(audioHashes(output.path)).toEqual(audioHashes(sampleVideo()));
  });

  it.each([{ codec: "copy" }, { audio_codec: "copy" }])(
    "that WebM does not hold are an error: %j",
    async (params) => {
      await expect(convert(smallVideo(), { format: "webm", ...params })).rejects.toMatchObject({
        code: "unsupported_type",
      });
    },
  );

  it("none removes the audio; subtitles and chapters are kept", async () => {
    const output = await convert(
      videoWithText(),
      { audio_codec: "none", preset: "ultrafast" },
      "mkv",
    );
    expect(streamsOf(output.path, "audio")).toHaveLength(0);
    expect(streamsOf(output.path, "subtitle")[0]?.codec_name).toBe("mov_text");
    expect(ffprobe(output.path).chapters).toHaveLength(2);
  });

  it("keep their languages, and none becomes the default", async () => {
    const languages = ["deu", "zho", "swe", "eng"];
    const path = makeVideo(
      "mkv",
      ...testPattern("size=64x36:rate=10:duration=0.5"),
      ...languages.flatMap(() => tone(0.5)),
      ...["0", ...languages.keys().map((track) => `${track + 1}`)].flatMap((input) => [
        "-map",
        input,
      ]),
      ...h264,
      ...languages.flatMap((code, track) => [`-metadata:s:a:${track}`, `language=${code}`]),
      ...["-c:a", "aac", "-disposition:a", "0"],
    );
    const tracks = (file: string) =>
      streamsOf(file, "audio").map(({ tags, disposition }) => [
        tags?.language,
        disposition?.default,
      ]);
    const mkv = await convert(path, { format: "mkv", codec: "copy" }, "mkv");
    expect(tracks(mkv.path)).toEqual(languages.map((code) => [code, 0]));
    const mov = await convert(path, { format: "mov", codec: "copy" }, "mkv");
    // ffmpeg's names of the codes of QuickTime. A MOV file always has a default track.
    expect(tracks(mov.path)).toEqual([
      ["ger", 1],
      ["chi", 0],
      ["sve", 0],
      ["eng", 0],
    ]);
    const back = await convert(mov.path, { format: "mkv", codec: "copy" }, "mov");
    expect(tracks(back.path)).toEqual([
      ["ger", 1],
      ["chi", 0],
      ["swe", 0],
      ["eng", 0],
    ]);
  });
});

describe("parameters", () => {
  it("quality, bitrate and audio_bitrate", async () => {
    const fast = { preset: "ultrafast" };
    const bytes = async (params: object) =>
      Number(
        ffprobe((await convert(sampleVideo(), { ...fast, ...params })).path).streams[0]?.bit_rate,
      );
    expect(await bytes({ quality: 40 })).toBeLessThan((await bytes({ quality: 20 })) / 2);
    expect(Math.abs((await bytes({ bitrate: 200_000 })) / 200_000 - 1)).toBeLessThan(0.3);
    const { path } = await convert(sampleVideo(), {
      ...fast,
      audio_codec: "aac",
      audio_bitrate: 32_000,
    });
    expect(Number(streamsOf(path, "audio")[0]?.bit_rate)).toBeLessThan(45_000);
  });

  it("width, height and fps", async () => {
    const output = await convert(sampleVideo(), {
      width: 100,
      height: 100,
      fps: 12.5,
      preset: "ultrafast",
    });
    expect(output.video).toMatchObject({ width: 100, height: 56, avg_frame_rate: "25/2" });
  });
});

/** More rows are in tests/operations/unusual-inputs.test.ts. */
describe("unusual videos", () => {
  it("a video shorter than a frame keeps its frame", async () => {
    const path = makeVideo("mp4", ...testPattern("size=64x36:rate=25:duration=0.04"), ...h264);
    const output = await convert(path, { fps: 2 });
    expect(output.video).toMatchObject({ nb_frames: "1" });
  });

  const hdr = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"];
  const deep = () =>
    makeVideo(
      "mp4",
      ...testPattern("size=96x54:rate=10:duration=0.3"),
      "-c:v",
      "libx265",
      "-x265-params",
      "log-level=error",
      "-pix_fmt",
      "yuv420p10le",
      ...hdr,
    );

  it.each([
    ["h264", { pix_fmt: "yuv420p", color_transfer: "bt709" }],
    ["h265", { pix_fmt: "yuv420p10le", color_transfer: "smpte2084", color_primaries: "bt2020" }],
    ["vp9", { pix_fmt: "yuv420p10le" }],
  ])("10-bit HDR as %s", async (codec, expected) => {
    expect((await convert(deep(), { codec, preset: "ultrafast" })).video).toMatchObject(expected);
  });

  it("transparency is kept by VP9 in WebM", async () => {
    const path = makeVideo(
      "mov",
      ...testPattern("color=red@0.5:size=64x36:rate=10:duration=0.3,format=yuva444p10le", "color"),
      "-c:v",
      "prores_ks",
      "-profile:v",
      "4444",
    );
    const kept = await convert(path, { format: "webm", preset: "ultrafast" }, "mov");
    const alpha = ffmpeg(
      "-c:v",
      "libvpx-vp9",
      "-i",
      kept.path,
      "-vf",
      "alphaextract,format=gray",
      "-frames:v",
      "1",
      "-f",
      "rawvideo",
      "-",
    );
    expect(Math.abs((alpha[100] ?? 0) - 128)).toBeLessThan(6);
  });

  it("6 channels", async () => {
    const path = makeVideo(
      "mkv",
      ...testPattern("size=64x36:rate=10:duration=0.3"),
      ...tone(0.3),
      ...h264,
      "-c:a",
      "flac",
      "-ac",
      "6",
    );
    const output = await convert(path, { format: "webm", preset: "ultrafast" }, "mkv");
    expect(streamsOf(output.path, "audio")[0]).toMatchObject({ codec_name: "opus", channels: 6 });
  });
});

it.each([
  { format: "avi" },
  { codec: "h264", quality: 52 },
  { quality: 20, bitrate: 100_000 },
  { codec: "copy", width: 100 },
  { codec: "copy", quality: 20 },
  { audio_codec: "flac", audio_bitrate: 100_000 },
  { format: "mov", audio_codec: "opus" },
  { preset: "placebo" },
  { fps: 0 },
])("%j is rejected", (params) => {
  expect(transcode.params.safeParse(params).success).toBe(false);
});
