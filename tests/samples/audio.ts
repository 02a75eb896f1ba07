import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Sample } from "../support/operation.ts";
import { makeMedia, readLog } from "./media-files.ts";
import { ffmpeg, ffprobe, type ProbedStream, packetsOf, videoFolder } from "./videos.ts";

export { runFfmpeg } from "./media-files.ts";

/** Audio files made with ffmpeg's test sources, each once. */

export interface AudioRecipe {
  /** An ffmpeg lavfi source. */
  readonly source?: string;
  /** The duration in seconds; by default 1.3. */
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
    const list = join(videoFolder(), "sample-chapters.txt");
    writeFileSync(list, describeChapters(recipe.chapters));
    maps.push("-map_chapters", `${inputs.filter((one) => one === "-i").length}`);
    inputs.push("-i", list);
  }
  const metadata = Object.entries(tags).flatMap(([key, value]) => ["-metadata", `${key}=${value}`]);
  const form = ["-ar", `${sampleRate}`, "-ac", `${channels}`, ...(encoders[type] ?? [])];
  const args = [...inputs, ...maps, ...form, ...metadata, ...options];
  return { path: makeMedia(mediaType(type).extension, args), type };
}

/** Copies a 16-bit WAV file of more than 2 channels without its channel mask. */
export function withoutChannelMask({ path, type }: Sample): Sample {
  const bytes = readFileSync(path);
  bytes.writeUInt32LE(0, 40);
  const copy = path.replace(/\.wav$/, "-maskless.wav");
  writeFileSync(copy, bytes);
  return { path: copy, type };
}

/** A 16-bit WAV file with another tone in each channel, in ffmpeg's usual layout: 2.1 for 3, 4.0 for 4. */
export function makeChannels(channels: number): Sample {
  const tones = Array.from({ length: channels }, (_, index) => `0.3*sin(${1000 * (index + 1)}*t)`);
  return makeAudio("wav", { source: `aevalsrc=${tones.join("|")}:s=44100`, channels });
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
  const seconds = (text = "") => Math.round(Number(text) * 100) / 100;
  return ffprobe(path).chapters.map(({ start_time, end_time, tags }) => ({
    start: seconds(start_time),
    end: seconds(end_time),
    title: tags?.title ?? "",
  }));
}

export interface AudioProperties {
  readonly codec: string;
  readonly container: string;
  readonly sampleRate: number;
  readonly channels: number;
  readonly layout: string | undefined;
  readonly sampleFormat: string;
  readonly bitRate: number;
  /** The tags of the file and its audio stream; their names are in lower case. */
  readonly tags: Readonly<Record<string, string>>;
  /** Codecs of all other streams. */
  readonly otherCodecs: readonly string[];
}

/** Reads the properties of the audio at `path` with ffprobe. */
export function readAudio(path: string): AudioProperties {
  const { streams, format } = ffprobe(path);
  const audio = streams.find((stream) => stream.codec_type === "audio");
  if (!audio) throw new Error("no audio stream");
  const tags = Object.entries({ ...format.tags, ...audio.tags });
  return {
    codec: audio.codec_name,
    container: format.format_name,
    sampleRate: Number(audio.sample_rate),
    channels: Number(audio.channels),
    layout: audio.channel_layout,
    sampleFormat: audio.sample_fmt ?? "",
    bitRate: Number(audio.bit_rate ?? format.bit_rate),
    tags: Object.fromEntries(tags.map(([key, value]) => [key.toLowerCase(), value])),
    otherCodecs: streams.filter((stream) => stream !== audio).map((stream) => stream.codec_name),
  };
}

/** Decodes the first audio stream: 32-bit floats, channels interleaved. */
export function decodeAudio(path: string): Float32Array {
  if (path.endsWith(".wav")) return decodeWav(readFileSync(path));
  const bytes = ffmpeg("-i", path, "-map", "0:a:0", "-f", "f32le", "-");
  // Results are kept, so tests get a copy.
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** Decodes a WAV file as ffmpeg does, without a process. */
function decodeWav(bytes: Buffer): Float32Array {
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    chunks.set(bytes.toString("latin1", at, at + 4), bytes.subarray(at + 8, at + 8 + size));
    at += 8 + size + (size % 2);
  }
  const format = chunks.get("fmt ");
  const data = chunks.get("data");
  if (!format || !data) throw new Error("no audio");
  // With many channels or bits, the format is at the start of a longer field.
  const isLong = format.readUInt16LE(0) === 0xfffe;
  const isFloat = format.readUInt16LE(isLong ? 24 : 0) === 3;
  const width = format.readUInt16LE(14) / 8;
  const samples = new Float32Array(Math.floor(data.length / width));
  const read = isFloat
    ? (at: number) => data.readFloatLE(at)
    : (at: number) => data.readIntLE(at, width) / 2 ** (8 * width - 1);
  for (let index = 0; index < samples.length; index++) samples[index] = read(index * width);
  return samples;
}

/** Duration of the decoded audio, in seconds. */
export function measureDuration(path: string, properties = readAudio(path)): number {
  return decodeAudio(path).length / properties.channels / properties.sampleRate;
}

/** Measures integrated loudness (LUFS) and true peak (dBTP) with ffmpeg's loudnorm, unlike the service. */
export function measureLoudness(path: string, track = 0): { loudness: number; truePeak: number } {
  const filter = ["-af", "loudnorm=print_format=json", "-f", "null", "-"];
  const log = readLog(["-i", path, "-map", `0:a:${track}`, ...filter]);
  const read = (name: string) => Number(new RegExp(`"${name}" : "(.*?)"`).exec(log)?.[1]);
  return { loudness: read("input_i"), truePeak: read("input_tp") };
}

/** Hashes of the packets and of the decoded samples of each stream, first video, without cover art. */
export function hashStreams(path: string): { packets: string[][]; samples: string } {
  const maps = ["-map", "0:V?", "-map", "0:a?", "-f", "streamhash", "-hash", "md5", "-"];
  const { streams, packets } = ffprobe(path);
  const ofType = (type: string) =>
    streams.filter((one) => one.codec_type === type && one.disposition?.attached_pic !== 1);
  const hashesOf = ({ index }: ProbedStream) =>
    packets.flatMap((packet) => (packet.stream_index === index ? packet.data_hash : []));
  return {
    packets: [...ofType("video"), ...ofType("audio")].map(hashesOf),
    samples: ffmpeg("-i", path, ...maps).toString(),
  };
}

/** A hash of each packet of the first audio stream. */
export function packetHashes(path: string): string[] {
  return packetsOf(path, "audio")[0]?.map((packet) => packet.data_hash) ?? [];
}
