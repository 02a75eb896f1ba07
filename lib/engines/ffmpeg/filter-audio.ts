import {
  type AudioFormat,
  audioFormats,
  audioFormatTraits,
  bitRateOptions,
  fitSampleRate,
} from "#lib/engines/ffmpeg/audio-formats.ts";
import type { MediaType, MediaTypeId } from "#lib/media/types.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { isSound, type SoundStream, sampleDepth } from "./audio.ts";
import { mediaPath, runFfmpeg } from "./ffmpeg.ts";
import type { MediaInfo } from "./media-info.ts";

/** Writing a file again with other sound: the same container and codecs, all else copied. */

export interface SoundRewrite {
  readonly input: WorkFile & { readonly type: MediaType };
  readonly info: MediaInfo;
  readonly output: WorkFile;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
  /** Filters for audio tracks, by their index in `info`; a track without any is copied. */
  readonly filters: ReadonlyMap<number, readonly string[]>;
}

const keptTypes = new Set(["video", "audio", "subtitle"]);

/** Loudness that was measured before the sound was changed. */
const staleTags = [
  ...["replaygain_track_gain", "replaygain_track_peak", "replaygain_album_gain"],
  ...["replaygain_album_peak", "R128_TRACK_GAIN", "R128_ALBUM_GAIN", "iTunNORM"],
].flatMap((name) => ["-metadata", `${name}=`, "-metadata:s:a", `${name}=`]);

/**
 * Writes `input` to `output` with its sound filtered. Film, subtitles, cover, chapters and tags stay;
 * data tracks, which most containers cannot take from elsewhere, do not. Resolves with each kept
 * stream's index in `output` by its index in `input`. Throws what `runFfmpeg` throws.
 */
export async function rewriteSound(rewrite: SoundRewrite): Promise<ReadonlyMap<number, number>> {
  const { input, info, output, work, signal, progress, filters } = rewrite;
  const id = input.type.id;
  // Ogg keeps a cover in a comment, where no stream can be copied to.
  const isOgg = id === "ogg" || id === "opus";
  const kept = info.streams.filter(
    (stream) => keptTypes.has(stream.type) && !(isOgg && stream.attachedPicture),
  );
  const tracks = kept.filter((stream) => stream.type === "audio");
  const trackOptions = tracks.flatMap((stream, track) => {
    const graph = filters.get(stream.index);
    if (!graph || !isSound(stream)) return [];
    return [`-filter:a:${track}`, graph.join(","), ...sameCodecOptions(track, stream, id)];
  });
  await runFfmpeg({
    work,
    signal,
    duration: info.duration,
    progress,
    build: (command) =>
      command
        .input(mediaPath(input))
        .outputOptions(kept.flatMap(({ index }) => ["-map", `0:${index}`]))
        .outputOptions(id === "mkv" ? ["-map", "0:t?"] : [])
        .outputOptions(["-c", "copy", ...trackOptions, ...staleTags, ...containerOptions(id)])
        .output(mediaPath(output)),
  });
  return new Map(kept.map(({ index }, position) => [index, position]));
}

function containerOptions(type: MediaTypeId): readonly string[] {
  const format = audioFormats.find((name) => name === type);
  if (format) return audioFormatTraits(format).container;
  return ["mp4", "mov", "3gp"].includes(type) ? ["-movflags", "+faststart"] : [];
}

/** Encoders for the codecs that ffmpeg can write, where the name is not the codec's own. */
const encoders: Readonly<Record<string, string>> = {
  mp3: "libmp3lame",
  vorbis: "libvorbis",
  opus: "libopus",
};

const sameNameEncoders = /^(aac|flac|alac|ac3|eac3|mp2|wmav2|pcm_\w+)$/;

/** What a container's sound is written as where its own codec has no encoder, such as DTS. */
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

/** Encodes output audio track `track` as `sound` was in a file of `type`: codec, rates and depth. */
function sameCodecOptions(track: number, sound: SoundStream, type: MediaTypeId): string[] {
  const own = sound.codec ?? "";
  const codec =
    own in encoders || sameNameEncoders.test(own) ? own : (fallbackCodecs[type] ?? "aac");
  const format = formatsByCodec[codec];
  const sampleRate = format ? fitSampleRate(format, sound.sampleRate) : sound.sampleRate;
  const options: [string, string][] = [
    [`-c:a:${track}`, encoders[codec] ?? codec],
    [`-ar:a:${track}`, `${sampleRate}`],
  ];
  const coded = format
    ? bitRateOptions(format, sound.bitRate, sampleRate, sound.channels)
    : bitRateCodecs.test(codec)
      ? ["-b:a", `${sound.bitRate ?? 192_000}`]
      : [];
  const [name, value] = coded;
  if (name && value) options.push([`${name}:${track}`, value]);
  if (codec === "flac" || codec === "alac") options.push(...depthOptions(codec, sound, track));
  return options.flat();
}

const bitRateCodecs = /^(e?ac3|mp2|wmav2)$/;

function depthOptions(
  codec: "flac" | "alac",
  sound: SoundStream,
  track: number,
): [string, string][] {
  const planar = codec === "alac" ? "p" : "";
  if (sampleDepth(sound) === 16) return [[`-sample_fmt:a:${track}`, `s16${planar}`]];
  return [
    [`-sample_fmt:a:${track}`, `s32${planar}`],
    [`-bits_per_raw_sample:a:${track}`, "24"],
  ];
}
