import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Sample } from "../support/operation.ts";

/** Sounds made by ffmpeg's own sources, once for each process. */

const folder = mkdtempSync(join(tmpdir(), "mediamill-sound-"));

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export interface SoundRecipe {
  /** An ffmpeg lavfi source. */
  readonly source?: string;
  /** Seconds; 1.3. */
  readonly duration?: number;
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly tags?: Readonly<Record<string, string>>;
  /** A red square as its cover. */
  readonly cover?: boolean;
  /** A film of the same length beside the sound. */
  readonly film?: boolean;
  /** Further output options of ffmpeg. */
  readonly options?: readonly string[];
}

const encoders: Partial<Record<MediaTypeId, readonly string[]>> = {
  ogg: ["-c:a", "libvorbis"],
  webm: ["-c:a", "libopus", "-c:v", "libvpx", "-deadline", "realtime"],
};

/** A sound file of `type`: a tone by default. The same recipe gives the same file. */
export function makeSound(type: MediaTypeId, recipe: SoundRecipe = {}): Sample {
  const { duration = 1.3, channels = 1, tags = {}, options = [] } = recipe;
  const { sampleRate = type === "opus" || type === "webm" ? 48_000 : 44_100 } = recipe;
  const name = Buffer.from(JSON.stringify(recipe)).toString("base64url").slice(0, 180);
  const path = join(folder, `${type}-${name}.${mediaType(type).extension}`);
  if (existsSync(path)) return { path, type };
  const source = recipe.source ?? "sine=f=440";
  const inputs = ["-f", "lavfi", "-i", `${source},atrim=duration=${duration}`];
  const maps = ["-map", "0:a"];
  if (recipe.cover) {
    inputs.push("-f", "lavfi", "-i", "color=red:s=32x32:d=0.04:r=25");
    maps.push("-map", "1:v", "-c:v", "mjpeg", "-disposition:v:0", "attached_pic");
  }
  if (recipe.film) {
    inputs.push("-f", "lavfi", "-i", `testsrc2=s=160x90:r=10:d=${duration}`);
    maps.push("-map", "1:v");
  }
  const metadata = Object.entries(tags).flatMap(([key, value]) => ["-metadata", `${key}=${value}`]);
  const form = ["-ar", `${sampleRate}`, "-ac", `${channels}`, ...(encoders[type] ?? [])];
  runFfmpeg([...inputs, ...maps, ...form, ...metadata, ...options, path]);
  return { path, type };
}

/** ffmpeg outside of the service, as a listener would use it. */
export function runFfmpeg(args: readonly string[]): Buffer {
  return execFileSync("ffmpeg", ["-v", "error", "-y", ...args], { maxBuffer: 2 ** 28 });
}

export interface SoundFacts {
  readonly codec: string;
  readonly container: string;
  readonly sampleRate: number;
  readonly channels: number;
  readonly layout: string | undefined;
  readonly sampleFormat: string;
  readonly bitRate: number;
  /** Of the file and of its sound, names in lower case. */
  readonly tags: Readonly<Record<string, string>>;
  /** Codecs of all streams that are no sound. */
  readonly others: readonly string[];
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

/** What ffprobe says of the sound at `path`. */
export function readSound(path: string): SoundFacts {
  const args = ["-v", "error", "-of", "json", "-show_streams", "-show_format", path];
  const { streams, format } = JSON.parse(execFileSync("ffprobe", args, { encoding: "utf8" })) as {
    // ffprobe's own form, of files that this test has made.
    streams: ProbeStream[];
    format: { format_name: string; bit_rate: string; tags?: Record<string, string> };
  };
  const sound = streams.find((stream) => stream.codec_type === "audio");
  if (!sound) throw new Error("no sound");
  const tags = Object.entries({ ...format.tags, ...sound.tags });
  return {
    codec: sound.codec_name,
    container: format.format_name,
    sampleRate: Number(sound.sample_rate),
    channels: sound.channels,
    layout: sound.channel_layout,
    sampleFormat: sound.sample_fmt,
    bitRate: Number(sound.bit_rate ?? format.bit_rate),
    tags: Object.fromEntries(tags.map(([key, value]) => [key.toLowerCase(), value])),
    others: streams.filter((stream) => stream !== sound).map((stream) => stream.codec_name),
  };
}

/** Decoded samples of the first sound, 32-bit floats, channels interleaved. */
export function decodeSound(path: string): Float32Array {
  const bytes = runFfmpeg(["-i", path, "-map", "0:a:0", "-f", "f32le", "-"]);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** Seconds of sound that a decoder gives. */
export function measureDuration(path: string, facts = readSound(path)): number {
  return decodeSound(path).length / facts.channels / facts.sampleRate;
}

/** Integrated loudness (LUFS) and true peak (dBTP), by ffmpeg's loudnorm: not what the service measures with. */
export function listen(path: string): { loudness: number; truePeak: number } {
  const args = ["-hide_banner", "-nostats", "-i", path, "-map", "0:a:0"];
  const filter = ["-af", "loudnorm=print_format=json", "-f", "null", "-"];
  const log = execFileSync("sh", ["-c", '"$@" 2>&1', "sh", "ffmpeg", ...args, ...filter], {
    encoding: "utf8",
  });
  const read = (name: string) => Number(new RegExp(`"${name}" : "(.*?)"`).exec(log)?.[1]);
  return { loudness: read("input_i"), truePeak: read("input_tp") };
}

/** MD5 of each stream's packets and of each stream's decoded samples, cover pictures left out. */
export function hashStreams(path: string): { packets: string; samples: string } {
  const hash = (...options: string[]) =>
    runFfmpeg([
      ...["-i", path, "-map", "0:V?", "-map", "0:a?", ...options],
      ...["-f", "streamhash", "-hash", "md5", "-"],
    ]).toString();
  return { packets: hash("-c", "copy"), samples: hash() };
}
