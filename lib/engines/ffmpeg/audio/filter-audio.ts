import type { MediaType, MediaTypeId } from "#lib/media/types.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import {
  applyFilters,
  copyAttachments,
  copyStreams,
  copyStreamTags,
  indexFirst,
  mapStream,
  mapStreamOf,
  setDisposition,
  setFileTag,
  setStreamTag,
} from "../arguments.ts";
import { audioFormats, audioFormatTraits } from "../audio-formats.ts";
import { isDecodableAudio } from "../audio-streams.ts";
import { runFfmpeg } from "../ffmpeg.ts";
import type { MediaInfo, MediaStream } from "../media-info.ts";
import { sameCodecArguments } from "../same-audio-codec.ts";
import { type Chapter, writeChapters } from "./chapters.ts";
import { decodeTimeMs } from "./decode-time.ts";

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
  /** The indexes of the tracks that a limiter among their filters flattens. */
  readonly flattened?: ReadonlySet<number>;
  /** Files whose audio replaces that of a track, before its filters; by the track's index. */
  readonly replacements?: ReadonlyMap<number, WorkFile>;
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
  "replaygain_track_gain",
  "replaygain_track_peak",
  "replaygain_album_gain",
  "replaygain_album_peak",
  "R128_TRACK_GAIN",
  "R128_ALBUM_GAIN",
  "iTunNORM",
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
  const replacements = [...(request.replacements ?? [])];
  const replaced = replacements.map(([index]) => index);
  const files = replacements.map(([, file]) => ({ file }));
  const chapters =
    request.chapters && (await writeChapters(request.chapters, 1 + files.length, work));
  const trackArguments = tracks.flatMap((stream, track) => {
    const trackFilters = filters.get(stream.index);
    if (!trackFilters || !isDecodableAudio(stream)) return [];
    const isFlattened = request.flattened?.has(stream.index);
    return [
      ...applyFilters("a", track, trackFilters),
      ...sameCodecArguments(track, stream, id, isFlattened),
    ];
  });
  const args = [
    ...kept.flatMap(({ index }) => {
      const position = replaced.indexOf(index);
      return position === -1 ? mapStream(index) : mapStreamOf(position + 1, 0);
    }),
    ...keepStreamProperties(kept, replaced.length > 0),
    ...(id === "mkv" ? copyAttachments : []),
    ...copyStreams,
    ...trackArguments,
    ...clearLoudnessTags,
    ...muxerArguments(id),
  ];
  const { seconds } = await runFfmpeg({
    work,
    signal,
    duration: request.duration ?? info.duration,
    stallMs: decodeTimeMs(info.duration),
    progress,
    inputs: [{ file: input }, ...files, ...(chapters?.input ? [chapters.input] : [])],
    outputs: [{ file: output, args: [...args, ...(chapters?.args ?? [])] }],
  });
  return { positions: new Map(kept.map(({ index }, position) => [index, position])), seconds };
}

/**
 * Arguments that copy the dispositions of all streams: ffmpeg makes one of several tracks the default if
 * none is. With `copiesTags`, their tags, too, which another file with a track does not have.
 */
function keepStreamProperties(kept: readonly MediaStream[], copiesTags: boolean): string[] {
  const letters = { video: "v", audio: "a", subtitle: "s" } as const;
  return Object.entries(letters).flatMap(([type, letter]) =>
    kept
      .filter((stream) => stream.type === type)
      .flatMap(({ index, disposition }, track) => [
        ...(copiesTags ? copyStreamTags(letter, track, index) : []),
        ...setDisposition(letter, track, disposition),
      ]),
  );
}

/** The muxer of an audio file of `type` and its options; ffmpeg's choice for other types. */
export function muxerArguments(type: MediaTypeId): readonly string[] {
  const format = audioFormats.find((name) => name === type);
  if (format) return audioFormatTraits(format).muxer;
  return ["mp4", "mov", "3gp"].includes(type) ? indexFirst : [];
}
