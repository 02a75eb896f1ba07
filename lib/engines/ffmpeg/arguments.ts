import type { MediaStream } from "./media-info.ts";

/**
 * The options of ffmpeg that operations use, by what they do. See ffmpeg(1). Each docstring begins
 * with what its options apply to: an input or an output.
 */

type StreamType = "v" | "a" | "s";

/** Input: starts to read at the last key frame at or before `seconds`. */
export function seekTo(seconds: number): string[] {
  return ["-ss", seconds.toFixed(6), "-noaccurate_seek"];
}

/** Input, or output: all from `start`, in seconds. Copied packets may start earlier. */
export function startAt(start: number): string[] {
  return ["-ss", start.toFixed(6)];
}

/** Input, or output: only `seconds` from `start`, both in seconds. Copied packets may start earlier. */
export function readRange(start: number, seconds: number): string[] {
  return [...startAt(start), "-t", seconds.toFixed(6)];
}

/** Input: decodes key frames only. */
export const onlyKeyFrames: readonly string[] = ["-skip_frame", "nokey"];

/** Input: does not rotate frames as the rotation tag says; the tag is kept. */
export const ignoreRotation: readonly string[] = ["-noautorotate"];

/**
 * Input: keeps the filter graph if frames change their size; the filters must then scale them.
 * Without it, the graph starts again, which loses its state, such as an overlaid image.
 */
export const keepFilterGraph: readonly string[] = ["-reinit_filter", "0"];

/**
 * The arguments of `keepFilterGraph`, unless ffmpeg inserts a filter for the rotation of `video`.
 */
export function keepFilterGraphOf({ rotation }: Pick<MediaStream, "rotation">): readonly string[] {
  return rotation === 0 ? keepFilterGraph : [];
}

/** Input: decodes the stream `index` with `decoder`. */
export function decodeWith(index: number, decoder: string): string[] {
  return [`-c:${index}`, decoder];
}

/** Input: reads the file with `demuxer`, without detecting its format. */
export function readAs(demuxer: string): string[] {
  return ["-f", demuxer];
}

/** Output: adds the stream `index` of the first input, or of the input `input`. */
export function mapStream(index: number, input = 0): string[] {
  return ["-map", `${input}:${index}`];
}

/** Output: adds the stream `index` of the input `input`. */
export function mapStreamOf(input: number, index: number): string[] {
  return ["-map", `${input}:${index}`];
}

/** Output: adds the stream that the filter graph labels `[label]`. */
export function mapGraphOutput(label: string): string[] {
  return ["-map", `[${label}]`];
}

/** Output: copies the fonts and other attachments of the first input. */
export const copyAttachments: readonly string[] = ["-map", "0:t?", "-c:t", "copy"];

/** Output: writes only the frames of MP3 or AAC (ADTS), without tags and headers of the file. */
export function elementaryStream(format: "mp3" | "adts"): string[] {
  const options = format === "mp3" ? ["-write_xing", "0", "-id3v2_version", "0"] : [];
  return ["-f", format, ...options, "-map_metadata", "-1"];
}

/** Output: copies the packets of all video and audio streams. */
export const mapAllStreams: readonly string[] = ["-map", "0:v?", "-map", "0:a?", "-c", "copy"];

/** Output: copies every stream for which no encoder follows. */
export const copyStreams: readonly string[] = ["-c", "copy"];

/** Output: encodes the stream `track` of its type; `copy` copies its packets. */
export function encodeAs(type: StreamType, track: number, encoder: string): string[] {
  return [`-c:${type}:${track}`, encoder];
}

/** Output: applies `filters` to the stream `track` of its type. */
export function applyFilters(type: "v" | "a", track: number, filters: readonly string[]): string[] {
  return [`-filter:${type}:${track}`, filters.join(",")];
}

/**
 * Filters for frames that may be upside down, as a rotation by 180° leaves them: stored from the last row to the
 * first. x265 crashes for some of these.
 */
export const copyFlipped: readonly string[] = ["copy"];

/** Output: marks the video stream `track` as cover art. */
export function markAsCover(track: number): string[] {
  return [`-disposition:v:${track}`, "attached_pic"];
}

/** Output: sets the dispositions of the stream `track` of its type, as ffprobe reports them. */
export function setDisposition(
  type: StreamType,
  track: number,
  dispositions: Readonly<Record<string, number>>,
): string[] {
  const names = Object.entries(dispositions).flatMap(([name, value]) => (value === 1 ? name : []));
  return [`-disposition:${type}:${track}`, names.join("+") || "0"];
}

/** Output: writes 16-bit samples without a header, with channels interleaved. */
export function rawSamples(sampleRate: number): string[] {
  return ["-f", "s16le", "-c:a", "pcm_s16le", "-ar", `${sampleRate}`];
}

/** Output: ends after `seconds`. */
export function limitDuration(seconds: number): string[] {
  return ["-t", seconds.toFixed(6)];
}

/** Output: ends after `count` video frames. */
export function limitFrames(count: number): string[] {
  return ["-frames:v", `${count}`];
}

/** Output: keeps the time of every frame, however irregular; `timeBase` is that of the input. */
export function keepFrameTimes(timeBase: MediaStream["timeBase"]): string[] {
  const { numerator, denominator } = timeBase ?? { numerator: 1, denominator: 90_000 };
  return ["-fps_mode", "vfr", "-enc_time_base", `${numerator}:${denominator}`];
}

/** Output: declares the range of the color values. */
export function setColorRange(range: "tv" | "pc"): string[] {
  return ["-color_range", range];
}

/** Output: copies the tags of the input stream `index` to the output stream `track` of its type. */
export function copyStreamTags(type: StreamType, track: number, index: number): string[] {
  return [`-map_metadata:s:${type}:${track}`, `0:s:${index}`];
}

/**
 * Output: sets a tag of the stream `position`, counted over all types. An empty value removes it.
 */
export function setStreamTag(position: number | string, name: string, value: string): string[] {
  return [`-metadata:s:${position}`, `${name}=${value}`];
}

/** Output: sets a tag of the file. An empty value removes it. */
export function setFileTag(name: string, value: string): string[] {
  return ["-metadata", `${name}=${value}`];
}

/**
 * Output: copies the file tags of the first input, or the tags of its stream `index` as file tags.
 */
export function copyFileTags(index?: number): string[] {
  return ["-map_metadata", index === undefined ? "0:g" : `0:s:${index}`];
}

/** Output: does not copy the tags of the file and of its streams. */
export const dropTags: readonly string[] = ["-map_metadata", "-1"];

/** Output: does not copy the tags of streams. */
export const dropStreamTags: readonly string[] = ["-map_metadata:s", "-1"];

/** Output: has the chapters of the input `input`. */
export function copyChapters(input: number): string[] {
  return ["-map_chapters", `${input}`];
}

/** Output: does not copy chapters. */
export const dropChapters: readonly string[] = ["-map_chapters", "-1"];

/** Output: the muxer does not write its own name and version. */
export const omitMuxerName: readonly string[] = ["-fflags", "+bitexact"];

/**
 * Output, MP4 and MOV: puts the index first, so that playback can start before the file is
 * complete.
 */
export const indexFirst: readonly string[] = ["-movflags", "+faststart"];

/**
 * Output, MP4 and MOV: players without support for edit lists show the first frame at once, too.
 */
export const withoutEditList: readonly string[] = ["-movflags", "+negative_cts_offsets"];

/** Output: one image file; without it, the name of the file would be a pattern of numbers. */
export const singleImage: readonly string[] = ["-f", "image2", "-update", "1"];

/** Output: the bytes of the frames, plane by plane, without a header. */
export const rawFrames: readonly string[] = ["-f", "rawvideo"];

/** Output: a GIF that plays `count` times; 0 is endless. */
export function writeGif(count: number): string[] {
  // The muxer counts repetitions: -1 is none, 0 endless.
  return ["-c:v:0", "gif", "-f", "gif", "-loop", `${count === 1 ? -1 : Math.max(0, count - 1)}`];
}

/** Output: an image file for each frame, numbered from `first`; the name of the file has a `%d`. */
export function numberedImages(first: number): string[] {
  return ["-f", "image2", "-start_number", `${first}`];
}

/** Output: writes every frame that leaves the filters, none twice. */
export const keepEveryFrame: readonly string[] = ["-fps_mode", "passthrough"];

/** Input: begins again at its end, without end. */
export const repeatEndlessly: readonly string[] = ["-stream_loop", "-1"];

/** Input: computes missing presentation times, which AVI and MPEG do not store for every frame. */
export const generateTimes: readonly string[] = ["-fflags", "+genpts"];
