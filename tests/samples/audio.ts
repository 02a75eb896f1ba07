import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Sample } from "../support/operation.ts";

/** Audio files made with ffmpeg's test sources, once for each process. */

const folder = mkdtempSync(join(tmpdir(), "mediamill-audio-"));

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export interface AudioRecipe {
  /** An ffmpeg lavfi source. */
  readonly source?: string;
  /** Seconds; 1.3 by default. */
  readonly duration?: number;
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly tags?: Readonly<Record<string, string>>;
  /** Adds a red square as cover art. */
  readonly cover?: boolean;
  readonly chapters?: readonly SampleChapter[];
  /** Adds a video stream of the same length. */
  readonly video?: boolean;
  /** Additional output options of ffmpeg. */
  readonly options?: readonly string[];
}

/** Times in seconds. */
export interface SampleChapter {
  readonly start: number;
  readonly end: number;
  readonly title: string;
}

const encoders: Partial<Record<MediaTypeId, readonly string[]>> = {
  ogg: ["-c:a", "libvorbis"],
  webm: ["-c:a", "libopus", "-c:v", "libvpx", "-deadline", "realtime"],
};

/** Makes an audio file of `type`, by default a tone. The same recipe returns the same file. */
export function makeAudio(type: MediaTypeId, recipe: AudioRecipe = {}): Sample {
  const { duration = 1.3, channels = 1, tags = {}, options = [] } = recipe;
  const { sampleRate = type === "opus" || type === "webm" ? 48_000 : 44_100 } = recipe;
  const name = createHash("sha256").update(JSON.stringify(recipe)).digest("hex").slice(0, 16);
  const path = join(folder, `${type}-${name}.${mediaType(type).extension}`);
  if (existsSync(path)) return { path, type };
  const source = recipe.source ?? "sine=f=440";
  const inputs = ["-f", "lavfi", "-i", `${source},atrim=duration=${duration}`];
  const maps = ["-map", "0:a"];
  if (recipe.cover) {
    inputs.push("-f", "lavfi", "-i", "color=red:s=32x32:d=0.04:r=25");
    maps.push("-map", "1:v", "-c:v", "mjpeg", "-disposition:v:0", "attached_pic");
  }
  if (recipe.video) {
    inputs.push("-f", "lavfi", "-i", `testsrc2=s=160x90:r=10:d=${duration}`);
    maps.push("-map", "1:v");
  }
  if (recipe.chapters) {
    const list = join(folder, `chapters-${name}.txt`);
    writeFileSync(list, describeChapters(recipe.chapters));
    maps.push("-map_chapters", `${inputs.filter((one) => one === "-i").length}`);
    inputs.push("-i", list);
  }
  const metadata = Object.entries(tags).flatMap(([key, value]) => ["-metadata", `${key}=${value}`]);
  const form = ["-ar", `${sampleRate}`, "-ac", `${channels}`, ...(encoders[type] ?? [])];
  runFfmpeg([...inputs, ...maps, ...form, ...metadata, ...options, path]);
  return { path, type };
}

function describeChapters(chapters: readonly SampleChapter[]): string {
  const sections = chapters.map(({ start, end, title }) => {
    const text = title.replaceAll(/[=;#\\\n]/g, "\\$&");
    const times = `TIMEBASE=1/1000\nSTART=${start * 1000}\nEND=${end * 1000}`;
    return `[CHAPTER]\n${times}\ntitle=${text}`;
  });
  return [";FFMETADATA1", ...sections, ""].join("\n");
}

/** The chapters of the file at `path`, by ffprobe; seconds to the hundredth. */
export function readChapters(path: string): SampleChapter[] {
  const args = ["-v", "error", "-of", "json", "-show_chapters", path];
  const { chapters } = JSON.parse(execFileSync("ffprobe", args, { encoding: "utf8" })) as {
    // ffprobe's format, for files that the test created.
    chapters: { start_time: string; end_time: string; tags: { title: string } }[];
  };
  const seconds = (text: string) => Math.round(Number(text) * 100) / 100;
  return chapters.map(({ start_time, end_time, tags }) => ({
    start: seconds(start_time),
    end: seconds(end_time),
    title: tags.title,
  }));
}

/** Runs ffmpeg outside the service, without a sandbox. Returns its stdout. */
export function runFfmpeg(args: readonly string[]): Buffer {
  return execFileSync("ffmpeg", ["-v", "error", "-y", ...args], { maxBuffer: 2 ** 28 });
}

export interface AudioProperties {
  readonly codec: string;
  readonly container: string;
  readonly sampleRate: number;
  readonly channels: number;
  readonly layout: string | undefined;
  readonly sampleFormat: string;
  readonly bitRate: number;
  /** Of the file and its audio stream; names in lower case. */
  readonly tags: Readonly<Record<string, string>>;
  /** Codecs of all other streams. */
  readonly otherCodecs: readonly string[];
}

interface ProbeStream {
  readonly codec_type: string;
  readonly codec_name: string;
  readonly sample_rate: string;
  readonly channels: number;
  readonly channel_layout?: string;
  readonly sample_fmt: string;
  readonly bit_rate?: string;
  readonly tags?: Record<string, string>;
}

/** Reads the properties of the audio at `path` with ffprobe. */
export function readAudio(path: string): AudioProperties {
  const args = ["-v", "error", "-of", "json", "-show_streams", "-show_format", path];
  const { streams, format } = JSON.parse(execFileSync("ffprobe", args, { encoding: "utf8" })) as {
    // ffprobe's format, for files that the test created.
    streams: ProbeStream[];
    format: { format_name: string; bit_rate: string; tags?: Record<string, string> };
  };
  const audio = streams.find((stream) => stream.codec_type === "audio");
  if (!audio) throw new Error("no audio stream");
  const tags = Object.entries({ ...format.tags, ...audio.tags });
  return {
    codec: audio.codec_name,
    container: format.format_name,
    sampleRate: Number(audio.sample_rate),
    channels: audio.channels,
    layout: audio.channel_layout,
    sampleFormat: audio.sample_fmt,
    bitRate: Number(audio.bit_rate ?? format.bit_rate),
    tags: Object.fromEntries(tags.map(([key, value]) => [key.toLowerCase(), value])),
    otherCodecs: streams.filter((stream) => stream !== audio).map((stream) => stream.codec_name),
  };
}

/** Decodes the first audio stream: 32-bit floats, channels interleaved. */
export function decodeAudio(path: string): Float32Array {
  const bytes = runFfmpeg(["-i", path, "-map", "0:a:0", "-f", "f32le", "-"]);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** Duration of the decoded audio, in seconds. */
export function measureDuration(path: string, properties = readAudio(path)): number {
  return decodeAudio(path).length / properties.channels / properties.sampleRate;
}

/** Measures integrated loudness (LUFS) and true peak (dBTP) with ffmpeg's loudnorm, unlike the service. */
export function measureLoudness(path: string): { loudness: number; truePeak: number } {
  const args = ["-hide_banner", "-nostats", "-i", path, "-map", "0:a:0"];
  const filter = ["-af", "loudnorm=print_format=json", "-f", "null", "-"];
  const log = execFileSync("sh", ["-c", '"$@" 2>&1', "sh", "ffmpeg", ...args, ...filter], {
    encoding: "utf8",
  });
  const read = (name: string) => Number(new RegExp(`"${name}" : "(.*?)"`).exec(log)?.[1]);
  return { loudness: read("input_i"), truePeak: read("input_tp") };
}

/** MD5 of the packets and of the decoded samples of each stream, without cover art. */
export function hashStreams(path: string): { packets: string; samples: string } {
  const hash = (...options: string[]) =>
    runFfmpeg([
      ...["-i", path, "-map", "0:V?", "-map", "0:a?", ...options],
      ...["-f", "streamhash", "-hash", "md5", "-"],
    ]).toString();
  return { packets: hash("-c", "copy"), samples: hash() };
}

/** SHA-256 of each packet of the first audio stream. */
export function packetHashes(path: string): string[] {
  const args = ["-i", path, "-map", "0:a:0", "-c", "copy", "-f", "framehash", "-"];
  const lines = runFfmpeg(args).toString().split("\n");
  return lines
    .filter((line) => line.startsWith("0,"))
    .map((line) => line.split(",")[5]?.trim() ?? "");
}
