import type { MediaType, MediaTypeId } from "#lib/media/types.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import {
  applyFilters,
  copyAttachments,
  copyStreams,
  indexFirst,
  mapStream,
  setFileTag,
  setStreamTag,
} from "../arguments.ts";
import {
  type AudioFormat,
  audioFormats,
  audioFormatTraits,
  bitRateArguments,
  fitSampleRate,
} from "../audio-formats.ts";
import { type AudioStream, chooseSampleDepth, isDecodableAudio } from "../audio-streams.ts";
import { runFfmpeg } from "../ffmpeg.ts";
import type { MediaInfo } from "../media-info.ts";
import { type Chapter, writeChapters } from "./chapters.ts";

/**
 * Applies filters to the audio of a file. Container, codecs and all other streams stay the same.
 */

export interface AudioFilterRequest {
  readonly input: WorkFile & { readonly type: MediaType };
  readonly info: MediaInfo;
  readonly output: WorkFile;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
  /** Filters of audio tracks, by their index in `info`. A track without filters is copied. */
  readonly filters: ReadonlyMap<number, readonly string[]>;
  /** Replaces the chapters, if filters change times. By default they are kept. */
  readonly chapters?: readonly Chapter[] | undefined;
  /** Duration of the output in seconds, for progress; that of the input by default. */
  readonly duration?: number | undefined;
}

export interface FilteredAudio {
  /** The index of each kept stream in the output, by its index in the input. */
  readonly positions: ReadonlyMap<number, number>;
  /** The approximate end of the output, in seconds; 0 if it is empty. */
  readonly seconds: number;
}

const keptTypes = new Set(["video", "audio", "subtitle"]);

/** Tags with a measured loudness, which is wrong after filtering. */
const loudnessTags = [
  ...["replaygain_track_gain", "replaygain_track_peak", "replaygain_album_gain"],
  ...["replaygain_album_peak", "R128_TRACK_GAIN", "R128_ALBUM_GAIN", "iTunNORM"],
];

const clearLoudnessTags = loudnessTags.flatMap((name) => [
  ...setFileTag(name, ""),
  ...setStreamTag("a", name, ""),
]);

/**
 * Writes `input` to `output` with filtered audio. Video, subtitles, cover art, chapters and tags
 * are kept. Data tracks are not, because most containers cannot hold copies of them. Throws what
 * `runFfmpeg` throws.
 */
export async function filterAudio(request: AudioFilterRequest): Promise<FilteredAudio> {
  const { input, info, output, work, signal, progress, filters } = request;
  const id = input.type.id;
  // Ogg stores cover art in a comment, to which ffmpeg cannot copy a stream.
  const isOgg = id === "ogg" || id === "opus";
  const kept = info.streams.filter(
    (stream) => keptTypes.has(stream.type) && !(isOgg && stream.attachedPicture),
  );
  const tracks = kept.filter((stream) => stream.type === "audio");
  const chapters = request.chapters && (await writeChapters(request.chapters, 1, work));
  const trackArguments = tracks.flatMap((stream, track) => {
    const trackFilters = filters.get(stream.index);
    if (!trackFilters || !isDecodableAudio(stream)) return [];
    return [...applyFilters("a", track, trackFilters), ...sameCodecArguments(track, stream, id)];
  });
  const args = [
    ...kept.flatMap(({ index }) => mapStream(index)),
    ...(id === "mkv" ? copyAttachments : []),
    ...[...copyStreams, ...trackArguments, ...clearLoudnessTags, ...muxerArguments(id)],
  ];
  const { seconds } = await runFfmpeg({
    work,
    signal,
    duration: request.duration ?? info.duration,
    progress,
    inputs: [{ file: input }, ...(chapters?.input ? [chapters.input] : [])],
    outputs: [{ file: output, args: [...args, ...(chapters?.args ?? [])] }],
  });
  return { positions: new Map(kept.map(({ index }, position) => [index, position])), seconds };
}

/** The muxer of an audio file of `type` and its options; ffmpeg's choice for other types. */
export function muxerArguments(type: MediaTypeId): readonly string[] {
  const format = audioFormats.find((name) => name === type);
  if (format) return audioFormatTraits(format).muxer;
  return ["mp4", "mov", "3gp"].includes(type) ? indexFirst : [];
}

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
 * Encodes the audio track `track` like `stream`: with its codec, sample rate, bit rate and depth.
 */
export function sameCodecArguments(
  track: number,
  stream: AudioStream,
  type: MediaTypeId,
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
