import { JobError } from "#lib/errors.ts";
import { copyFileTags, dropStreamTags, setFileTag } from "./arguments.ts";
import type { SampleDepth } from "./audio-formats.ts";
import type { MediaInfo, MediaStream } from "./media-info.ts";

/** Selects and describes the audio streams of a file. */

/** An audio stream with a known sample rate (Hz) and number of channels. */
export type AudioStream = MediaStream & { sampleRate: number; channels: number };

/**
 * The default audio stream of a file, or else its first. Throws `JobError`: `unsupported_type` if
 * it has none, `corrupt` if none can be decoded.
 */
export function requireAudio(info: MediaInfo): AudioStream {
  const streams = info.streams.filter((stream) => stream.type === "audio");
  if (streams.length === 0) throw new JobError("unsupported_type", "The file has no audio.");
  const decodable = streams.filter(isDecodableAudio);
  const stream = decodable.find(({ disposition }) => disposition.default === 1) ?? decodable[0];
  if (!stream) throw new JobError("corrupt", "The audio in this file cannot be decoded.");
  return stream;
}

export function isDecodableAudio(stream: MediaStream): stream is AudioStream {
  return stream.type === "audio" && Boolean(stream.codec && stream.sampleRate && stream.channels);
}

/** The cover art of an audio file, if it has a format that MP3, M4A and FLAC support. */
export function findCover(info: MediaInfo): MediaStream | undefined {
  return info.streams.find(
    (stream) => stream.attachedPicture && ["mjpeg", "png"].includes(stream.codec ?? ""),
  );
}

const losslessCodec = /^(pcm_[suf]\d|flac|alac|wavpack|truehd|mlp|ape|tta|wmalossless)/;

/** Whether decoding and encoding `stream` again keeps every sample. */
export function isLossless({ codec = "" }: MediaStream): boolean {
  return losslessCodec.test(codec);
}

/** The sample depth of a lossless copy of `stream`; 16 bits if its codec is lossy. */
export function chooseSampleDepth(stream: MediaStream): SampleDepth {
  if (!isLossless(stream)) return 16;
  const format = stream.sampleFormat ?? "s16";
  if (/^(flt|dbl)/.test(format)) return "float";
  if (!/^s(32|64)/.test(format)) return 16;
  return (stream.bitsPerSample ?? 32) <= 24 ? 24 : 32;
}

/** Tags about the container of the input, which are wrong in another container. */
const containerTags = ["major_brand", "minor_version", "compatible_brands", "encoder"];

/** Output arguments that copy the tags of a file. Ogg stores them in its stream. */
export function tagArguments(info: MediaInfo, stream: MediaStream): string[] {
  return [
    ...copyFileTags(info.format === "ogg" ? stream.index : undefined),
    ...dropStreamTags,
    ...containerTags.flatMap((name) => setFileTag(name, "")),
  ];
}
