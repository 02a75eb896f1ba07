import { describe, expect, it } from "vitest";
import { type MediaTypeId, mediaTypeOfExtension } from "#lib/media/types.ts";
import { extractAudio } from "#lib/operations/video/extract-audio/index.ts";
import { decodeAudio, readAudio } from "#tests/samples/audio.ts";
import {
  audioHashes,
  h264,
  makeVideo,
  sampleVideo,
  testPattern,
  tone,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

async function extract(path: string, params: Record<string, unknown> = {}, type?: MediaTypeId) {
  const detected = type ?? mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;
  const { outputs } = await runOperation(extractAudio, { path, type: detected }, params);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return { ...output, ...readAudio(output.path) };
}

const small = testPattern("size=64x36:rate=10:duration=2");
const vp8 = ["-c:v", "libvpx", "-deadline", "realtime"];

/** The level of `frequency` in Hz; `rate` is the sample rate. */
function power(samples: Float32Array, frequency: number, rate: number): number {
  let re = 0;
  let im = 0;
  for (let n = 0; n < samples.length; n++) {
    re += (samples[n] ?? 0) * Math.cos((2 * Math.PI * frequency * n) / rate);
    im += (samples[n] ?? 0) * Math.sin((2 * Math.PI * frequency * n) / rate);
  }
  return Math.hypot(re, im) / samples.length;
}

describe("without a format", () => {
  it.each<[string, string, string[]]>([
    ["mp4", "m4a", [...h264, "-c:a", "aac"]],
    ["mov", "m4a", [...h264, "-c:a", "alac"]],
    ["mkv", "mp3", [...h264, "-c:a", "libmp3lame"]],
    ["webm", "opus", [...vp8, "-c:a", "libopus"]],
    ["webm", "ogg", [...vp8, "-c:a", "libvorbis"]],
    ["mkv", "flac", [...h264, "-c:a", "flac"]],
    ["mov", "wav", [...h264, "-c:a", "pcm_s16le"]],
    ["avi", "mp3", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]],
    ["ts", "m4a", [...h264, "-c:a", "aac"]],
  ])("the packets of %s are copied to %s", async (extension, format, options) => {
    const path = makeVideo(extension, ...small, ...tone(2), ...options);
    const output = await extract(path);
    expect(output.extension).toBe(format);
    expect(output.otherCodecs).toEqual([]);
    // In a transport stream, the packets of AAC have ADTS headers; WAV has packets of another length.
    if (extension === "ts" || format === "wav") {
      expect(decodeAudio(output.path)).toEqual(decodeAudio(path));
    } else {
      expect(audioHashes(output.path)).toEqual(audioHashes(path));
    }
    expect(Math.abs((output.duration ?? 0) - 2)).toBeLessThan(0.06);
  });

  it.each<[string, string, string]>([
    ["ac3", "m4a", "aac"],
    ["pcm_s24be", "wav", "pcm_s24le"],
    ["wavpack", "flac", "flac"],
  ])("%s becomes %s", async (codec, format, expected) => {
    const container = codec === "pcm_s24be" ? "mov" : "mkv";
    const path = makeVideo(container, ...small, ...tone(2), "-c:v", "mpeg4", "-c:a", codec);
    const output = await extract(path);
    expect([output.extension, output.codec]).toEqual([format, expected]);
    if (format !== "m4a") expect(decodeAudio(output.path)).toEqual(decodeAudio(path));
  });
});

describe("with a format", () => {
  it.each([
    ["mp3", "mp3"],
    ["opus", "opus"],
    ["ogg", "vorbis"],
    ["flac", "flac"],
    ["wav", "pcm_s16le"],
  ])("the audio is encoded as %s", async (format, codec) => {
    const output = await extract(sampleVideo(), { format });
    expect([output.extension, output.codec]).toEqual([format, codec]);
    expect(output.channels).toBe(1);
    const samples = decodeAudio(output.path);
    const at440 = power(samples.subarray(0, 48_000), 440, output.sampleRate);
    expect(at440).toBeGreaterThan(10 * power(samples.subarray(0, 48_000), 660, output.sampleRate));
  });

  it("AAC is copied to an ADTS stream", async () => {
    const output = await extract(sampleVideo(), { format: "aac" });
    expect(output.container).toBe("aac");
    expect(output.codec).toBe("aac");
    // Without the edit list of the MP4, the samples begin with the encoder's delay.
    const copied = decodeAudio(output.path);
    const original = decodeAudio(sampleVideo());
    expect(copied.subarray(1024, 1024 + 48_000)).toEqual(original.subarray(0, 48_000));
  });
});

it("takes the default track, with all its channels and the tags of the file", async () => {
  const surround = ["-f", "lavfi", "-i", "sine=880:d=2,aformat=channel_layouts=5.1"];
  const path = makeVideo(
    "mkv",
    ...small,
    ...tone(2),
    ...surround,
    "-map",
    "0",
    "-map",
    "1",
    "-map",
    "2",
    ...h264,
    "-c:a",
    "aac",
    "-disposition:a:0",
    "0",
    "-disposition:a:1",
    "default",
    "-metadata",
    "title=A title",
  );
  const output = await extract(path);
  expect(output).toMatchObject({ channels: 6, layout: "5.1" });
  expect(output.tags.title).toBe("A title");
});

it("rejects a video without audio", async () => {
  const path = makeVideo("mp4", ...small, ...h264);
  await expect(extract(path)).rejects.toMatchObject({ code: "unsupported_type" });
});
