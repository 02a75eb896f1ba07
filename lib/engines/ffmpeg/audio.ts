import type { SampleDepth } from "#lib/engines/ffmpeg/audio-formats.ts";
import { JobError } from "#lib/errors.ts";
import type { MediaInfo, MediaStream } from "./media-info.ts";

/** What operations on sound need to know of a file. */

export type SoundStream = MediaStream & { sampleRate: number; channels: number };

/**
 * The sound of a file: its default audio track, else its first. Throws
 * `JobError("unsupported_type")` where it has none.
 */
export function requireSound(info: MediaInfo): SoundStream {
  const tracks = info.streams.filter((stream) => stream.type === "audio");
  if (tracks.length === 0) throw new JobError("unsupported_type", "The file has no sound.");
  const sounds = tracks.filter(isSound);
  const sound = sounds.find((stream) => stream.disposition.default === 1) ?? sounds[0];
  if (!sound) throw new JobError("corrupt", "The sound in this file cannot be decoded.");
  return sound;
}

/** An audio track that can be decoded. */
export function isSound(stream: MediaStream): stream is SoundStream {
  return stream.type === "audio" && Boolean(stream.codec && stream.sampleRate && stream.channels);
}

/** The cover picture of a sound file, in a form that MP3, M4A and FLAC can all hold. */
export function coverOf(info: MediaInfo): MediaStream | undefined {
  return info.streams.find(
    (stream) => stream.attachedPicture && ["mjpeg", "png"].includes(stream.codec ?? ""),
  );
}

const losslessCodec = /^(pcm_[suf]\d|flac|alac|wavpack|truehd|mlp|ape|tta|wmalossless)/;

/** How exactly a lossless copy of `sound` must keep its samples; 16 bits for what lossy codecs decode to. */
export function sampleDepth(sound: MediaStream): SampleDepth {
  if (!losslessCodec.test(sound.codec ?? "")) return 16;
  const format = sound.sampleFormat ?? "s16";
  if (/^(flt|dbl)/.test(format)) return "float";
  if (!/^s(32|64)/.test(format)) return 16;
  return (sound.bitsPerSample ?? 32) <= 24 ? 24 : 32;
}

/** Tags that tell of the container they were in and are wrong in another one. */
const containerTags = ["major_brand", "minor_version", "compatible_brands", "encoder"];

/** Options that copy the tags of `sound` and its file; Ogg keeps a file's tags at the stream. */
export function tagOptions(info: MediaInfo, sound: MediaStream): string[] {
  const source = info.format === "ogg" ? `0:s:${sound.index}` : "0:g";
  const dropped = containerTags.flatMap((name) => ["-metadata", `${name}=`]);
  return ["-map_metadata", source, "-map_metadata:s", "-1", ...dropped];
}
