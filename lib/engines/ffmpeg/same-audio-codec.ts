import type { MediaTypeId } from "#lib/media/types.ts";
import { type AudioFormat, bitRateArguments, fitSampleRate } from "./audio-formats.ts";
import { type AudioStream, chooseSampleDepth } from "./audio-streams.ts";

/** Encoders whose name differs from that of the codec. */
const encoders: Readonly<Record<string, string>> = {
  mp3: "libmp3lame",
  vorbis: "libvorbis",
  opus: "libopus",
};

const sameNameEncoders = /^(aac|flac|alac|ac3|eac3|mp2|wmav2|pcm_\w+)$/;

/** The codec by container for audio whose own codec has no encoder, such as DTS. */
const fallbackCodecs: Readonly<Record<string, string>> = {
  ogg: "vorbis",
  opus: "opus",
  ogv: "vorbis",
  webm: "opus",
  wav: "pcm_s16le",
  mp3: "mp3",
  avi: "mp3",
  mpeg: "mp2",
  wmv: "wmav2",
};

const formatsByCodec: Readonly<Record<string, AudioFormat>> = {
  mp3: "mp3",
  aac: "aac",
  vorbis: "ogg",
  opus: "opus",
};

/**
 * LAME's level without noise shaping, which in LAME 3.100 adds single peaks of up to 10 dB to audio
 * that a limiter has flattened.
 */
const flattenedMp3Level = 7;

/**
 * Encodes the audio track `track` like `stream`: with its codec, sample rate, bit rate and depth.
 * `flattened` reports that a limiter has flattened it.
 */
export function sameCodecArguments(
  track: number,
  stream: AudioStream,
  type: MediaTypeId,
  flattened = false,
): string[] {
  const original = stream.codec ?? "";
  const hasEncoder = original in encoders || sameNameEncoders.test(original);
  const codec = hasEncoder ? original : (fallbackCodecs[type] ?? "aac");
  const format = formatsByCodec[codec];
  const sampleRate = format ? fitSampleRate(format, stream.sampleRate) : stream.sampleRate;
  const options: [string, string][] = [
    [`-c:a:${track}`, encoders[codec] ?? codec],
    [`-ar:a:${track}`, `${sampleRate}`],
  ];
  const bitRate = format
    ? bitRateArguments(format, stream.bitRate, sampleRate, stream.channels)
    : bitRateCodecs.test(codec)
      ? ["-b:a", `${stream.bitRate ?? 192_000}`]
      : [];
  const [name, value] = bitRate;
  if (name && value) options.push([`${name}:${track}`, value]);
  if (codec === "mp3" && flattened) {
    options.push([`-compression_level:a:${track}`, `${flattenedMp3Level}`]);
  }
  if (codec === "flac" || codec === "alac") options.push(...depthArguments(codec, stream, track));
  return options.flat();
}

const bitRateCodecs = /^(e?ac3|mp2|wmav2)$/;

function depthArguments(
  codec: "flac" | "alac",
  stream: AudioStream,
  track: number,
): [string, string][] {
  const planar = codec === "alac" ? "p" : "";
  if (chooseSampleDepth(stream) === 16) return [[`-sample_fmt:a:${track}`, `s16${planar}`]];
  return [
    [`-sample_fmt:a:${track}`, `s32${planar}`],
    [`-bits_per_raw_sample:a:${track}`, "24"],
  ];
}
