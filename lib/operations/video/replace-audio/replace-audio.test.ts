import { describe, expect, it } from "vitest";
import { type MediaTypeId, mediaTypeOfExtension } from "#lib/media/types.ts";
import { replaceAudio } from "#lib/operations/video/replace-audio/index.ts";
import {
  decodeAudio,
  makeAudio,
  makeChannels,
  readAudio,
  withoutChannelMask,
} from "#tests/samples/audio.ts";
import { partsOf, richVideo } from "#tests/samples/rich-video.ts";
import {
  audioHashes,
  ffprobe,
  h264,
  makeVideo,
  sampleVideo,
  streamsOf,
  testPattern,
  tone,
  videoPackets,
} from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

const typeOf = (path: string): MediaTypeId => mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;

async function replace(path: string, audio: string, params: Record<string, unknown> = {}) {
  const files = { audio: { path: audio, type: typeOf(audio) } };
  const { outputs } = await runOperation(replaceAudio, { path, type: typeOf(path) }, params, files);
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output.path;
}

/** A tone of 1000 Hz; the sample video has one of 440 Hz and lasts 2 s. */
const beep = (seconds: number, extension = "wav", ...options: string[]) =>
  makeVideo(extension, ...tone(seconds, 1000), ...options);

/** The amplitude of `frequency` (Hz) in mono audio of 48 kHz from `start` to `end`, in seconds. */
function amplitude(path: string, frequency: number, start: number, end: number): number {
  const { channels } = readAudio(path);
  const all = decodeAudio(path).filter((_, index) => index % channels === 0);
  const samples = all.subarray(start * 48_000, end * 48_000);
  let re = 0;
  let im = 0;
  for (const [n, sample] of samples.entries()) {
    re += sample * Math.cos((2 * Math.PI * frequency * n) / 48_000);
    im += sample * Math.sin((2 * Math.PI * frequency * n) / 48_000);
  }
  return (2 * Math.hypot(re, im)) / Math.max(1, samples.length);
}

const audioSeconds = (path: string) => {
  const { channels, sampleRate } = readAudio(path);
  return decodeAudio(path).length / channels / sampleRate;
};

/** lavfi's sine has this amplitude. */
const full = 1 / 8;

describe("the audio", () => {
  it("is replaced, and the video is untouched", async () => {
    const path = await replace(sampleVideo(), beep(2));
    expect(amplitude(path, 1000, 0.2, 1.8)).toBeCloseTo(full, 2);
    expect(amplitude(path, 440, 0.2, 1.8)).toBeLessThan(0.002);
    expect(videoPackets(path)).toEqual(videoPackets(sampleVideo()));
    expect(streamsOf(path, "audio")).toHaveLength(1);
  });

  it.each([{}, { mix: true }])("leaves its chapters to its file (%j)", async (params) => {
    const chapters = [
      { start: 0, end: 3, title: "One" },
      { start: 3, end: 6, title: "Two" },
    ];
    const book = makeAudio("m4a", { chapters, duration: 6 }).path;
    const path = await replace(sampleVideo(), book, params);
    expect(ffprobe(path).chapters).toEqual([]);
    expect(Number(ffprobe(path).format.duration)).toBeCloseTo(2, 1);
  });

  it("is copied if the container holds its codec", async () => {
    const aac = beep(1.5, "m4a", "-c:a", "aac");
    expect(audioHashes(await replace(sampleVideo(), aac))).toEqual(audioHashes(aac));
  });

  it.each(["wav", "m4a"])("ends with the video (%s)", async (extension) => {
    const path = await replace(sampleVideo(), beep(5, extension));
    expect(Math.abs(audioSeconds(path) - 2)).toBeLessThan(0.05);
    expect(Math.abs(Number(ffprobe(path).format.duration) - 2)).toBeLessThan(0.05);
  });

  it.each([
    ["mp4", 1, [...h264, "-c:a", "aac"]],
    ["mp4", 0.5, [...h264, "-c:a", "aac"]],
    ["mkv", 1, [...h264, "-c:a", "aac"]],
    ["mkv", 0.5, [...h264, "-c:a", "aac"]],
    ["webm", 1, ["-c:v", "libvpx", "-deadline", "realtime"]],
  ])("ends with the video if its own audio was longer: %s, volume %d", async (...row) => {
    const [extension, volume, options] = row;
    const picture = testPattern("size=64x36:rate=10:duration=1");
    const path = makeVideo(extension, ...picture, ...tone(3), ...options);
    const result = await replace(path, beep(5, "m4a"), { volume });
    expect(Math.abs(audioSeconds(result) - 1)).toBeLessThan(0.05);
    expect(Math.abs(Number(ffprobe(result).format.duration) - 1)).toBeLessThan(0.05);
  });

  it("is the default track, and the others stay what they are", async () => {
    const picture = testPattern("size=64x36:rate=10:duration=1");
    const maps = ["-map", "0", "-map", "1", "-map", "2", "-disposition:a:0", "0"];
    const options = [...maps, ...h264, "-disposition:a:1", "default"];
    const path = makeVideo("mkv", ...picture, ...tone(1), ...tone(1, 880), ...options);
    const defaults = (file: string) =>
      streamsOf(file, "audio").map(({ disposition }) => disposition?.default);
    expect(defaults(await replace(path, beep(1)))).toEqual([1]);
    expect(defaults(await replace(path, beep(1), { mix: true }))).toEqual([1, 0]);
  });

  it("may be shorter than the video", async () => {
    const path = await replace(sampleVideo(), beep(0.5));
    expect(audioSeconds(path)).toBeLessThan(0.6);
    expect(Math.abs(Number(ffprobe(path).format.duration) - 2)).toBeLessThan(0.05);
  });

  it.each(["wav", "m4a", "mp3", "opus"])("starts again if it loops (%s)", async (extension) => {
    const path = await replace(sampleVideo(), beep(0.5, extension), { loop: true });
    expect(Math.abs(audioSeconds(path) - 2)).toBeLessThan(0.07);
    for (const start of [0.1, 0.6, 1.1, 1.6]) {
      expect(amplitude(path, 1000, start, start + 0.3)).toBeGreaterThan(full * 0.8);
    }
  });

  it("is mixed with that of the video", async () => {
    const path = await replace(sampleVideo(), beep(1), { mix: true, volume: 0.5 });
    expect(amplitude(path, 440, 0.2, 1.8)).toBeCloseTo(full, 2);
    expect(amplitude(path, 1000, 0.2, 0.8)).toBeCloseTo(full / 2, 2);
    expect(amplitude(path, 1000, 1.2, 1.8)).toBeLessThan(0.002);
    expect(videoPackets(path)).toEqual(videoPackets(sampleVideo()));
  });

  it("is added to a video without audio", async () => {
    const mute = makeVideo("mp4", ...testPattern("size=64x36:rate=10:duration=2"), ...h264);
    expect(amplitude(await replace(mute, beep(2), { mix: true }), 1000, 0.2, 1.8)).toBeCloseTo(
      full,
      2,
    );
  });

  it("has the requested volume", async () => {
    const path = await replace(sampleVideo(), beep(2, "m4a"), { volume: 2 });
    expect(amplitude(path, 1000, 0.2, 1.8)).toBeCloseTo(full * 2, 2);
  });

  it("keeps 3 channels without names", async () => {
    const { path: unnamed } = withoutChannelMask(makeChannels(3));
    const picture = testPattern("size=64x36:rate=10:duration=1");
    const three = { channels: 3, layout: "3.0" };
    const replaced = await replace(makeVideo("mp4", ...picture, ...h264), unnamed, { volume: 0.5 });
    expect(readAudio(replaced)).toMatchObject(three);
    const own = makeVideo("mkv", ...picture, "-i", unnamed, ...h264, "-c:a", "pcm_s16le");
    expect(readAudio(await replace(own, beep(1), { mix: true }))).toMatchObject(three);
  });

  it("may be that of another video, in 5.1", async () => {
    const source = ["-f", "lavfi", "-i", "sine=1000:d=2:r=48000,pan=5.1|c0=c0|c1=c0"];
    const surround = makeVideo("mkv", ...source, ...testPattern(), ...h264, "-c:a", "ac3");
    expect(readAudio(await replace(sampleVideo(), surround))).toMatchObject({
      codec: "ac3",
      channels: 6,
    });
  });

  it("is at its time", async () => {
    const clicks = "aevalsrc=if(lt(mod(t\\,1)\\,0.01)\\,0.8\\,0):d=2:s=48000,adelay=500";
    const click = makeVideo("wav", "-f", "lavfi", "-i", clicks);
    const samples = decodeAudio(await replace(sampleVideo(), click));
    const first = samples.findIndex((sample) => Math.abs(sample) > 0.3) / 48_000;
    expect(Math.abs(first - 0.5)).toBeLessThan(0.02);
  });
});

describe("the container and other streams", () => {
  it.each<[string, string[], string]>([
    ["mov", [...h264, "-c:a", "aac"], "pcm_s16le"],
    ["mkv", [...h264, "-c:a", "aac"], "pcm_s16le"],
    ["webm", ["-c:v", "libvpx", "-deadline", "realtime"], "opus"],
    ["avi", ["-c:v", "mpeg4"], "pcm_s16le"],
    ["mpg", ["-c:v", "mpeg2video"], "mp3"],
    ["ts", h264, "aac"],
    ["flv", h264, "aac"],
    ["wmv", ["-c:v", "wmv2"], "pcm_s16le"],
    ["3gp", [...h264, "-c:a", "aac"], "aac"],
    ["ogv", ["-c:v", "libtheora"], "vorbis"],
  ])("stay %s", async (extension, options, codec) => {
    const source = makeVideo(
      extension,
      ...testPattern("size=96x64:rate=25:duration=1"),
      ...tone(1),
      ...options,
    );
    const path = await replace(source, beep(1));
    expect(ffprobe(path).format.format_name).toBe(ffprobe(source).format.format_name);
    expect(readAudio(path).codec).toBe(codec);
    expect(videoPackets(path)).toEqual(videoPackets(source));
  });

  it("are kept, with other audio tracks if audio is mixed", async () => {
    const path = await replace(richVideo(), beep(1), { mix: true });
    expect(partsOf(path)).toEqual(partsOf(richVideo()));
    expect(videoPackets(path)).toEqual(videoPackets(richVideo()));
    expect(audioHashes(path)[1]).toEqual(audioHashes(richVideo())[1]);
    expect(audioHashes(path)[0]).not.toEqual(audioHashes(richVideo())[0]);
  });

  it("are kept without the other audio tracks if audio is replaced", async () => {
    const { audio, ...kept } = partsOf(await replace(richVideo(), beep(1)));
    expect(partsOf(richVideo())).toMatchObject(kept);
    expect(audio).toHaveLength(1);
  });
});

it("rejects files without audio or video", async () => {
  const mute = makeVideo("mp4", ...testPattern("size=64x36:rate=10:duration=1"), ...h264);
  await expect(replace(sampleVideo(), mute)).rejects.toMatchObject({ code: "unsupported_type" });
  const sound = makeVideo("mp4", ...tone(1), "-c:a", "aac");
  await expect(replace(sound, beep(1))).rejects.toMatchObject({ code: "unsupported_type" });
});
