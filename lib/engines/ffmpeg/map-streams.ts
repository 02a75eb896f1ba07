import type { WorkFolder } from "../sandbox/work-folder.ts";
import {
  applyFilters,
  copyAttachments,
  copyStreamTags,
  dropChapters,
  encodeAs,
  mapStream,
  markAsCover,
  setDisposition,
  setStreamTag,
} from "./arguments.ts";
import {
  type AudioFormat,
  audioFormatTraits,
  bitRateArguments,
  fitSampleRate,
} from "./audio-formats.ts";
import { type AudioStream, isDecodableAudio } from "./audio-streams.ts";
import { nameChannels } from "./channel-layouts.ts";
import { warnOfDropped } from "./dropped-streams.ts";
import { toQuickTimeName } from "./languages.ts";
import type { MediaInfo, MediaStream } from "./media-info.ts";
import { dropPacketsOutside, filterPackets, startSubtitlesAtZero } from "./packet-arguments.ts";
import { sameCodecArguments } from "./same-audio-codec.ts";
import { type VideoContainerId, videoContainer } from "./video-formats.ts";

/**
 * Maps all streams of a video file except the video itself, as far as the container supports them.
 */

const textSubtitles = ["subrip", "ass", "ssa", "mov_text", "webvtt", "text"];

export interface AudioTrackEncoding {
  /**
   * The format of the track, by default the preferred one of the container; `m4a` stands for AAC,
   * `ogg` for Vorbis.
   */
  readonly format?: AudioFormat | undefined;
  /** The bit rate; that of the format by default. */
  readonly bitRate?: number | undefined;
  /** The number of channels that are kept at most. */
  readonly channels?: number;
}

export interface StreamChanges {
  /** Filters of an audio track, which is then encoded in its own codec. */
  readonly audioFilters?: ((stream: AudioStream) => readonly string[]) | undefined;
  readonly dropAudio?: boolean;
  /** Encodes audio in this format with so many bit/s, instead of copying it. */
  readonly audioEncoding?: AudioTrackEncoding | undefined;
  /** Drops subtitles and chapters, whose times are wrong in the output. */
  readonly dropTimedText?: boolean | undefined;
  /** A bit stream filter of subtitles, such as one that changes their times. */
  readonly subtitlePackets?: string | undefined;
  /** Gets a warning about streams that are left out. */
  readonly work?: WorkFolder;
  /** Drops audio and subtitles before time 0, which a seek leaves there. */
  readonly fromZero?: boolean;
}

/**
 * Output arguments that keep the audio tracks, subtitles, cover art, attachments, chapters and tags
 * of the first input, as far as the container `id` supports them and except for `changes`. The
 * caller must map the video stream `video` before. Audio is copied if it has no filters and the
 * container supports its codec, otherwise encoded.
 */
export function mapStreams(
  info: MediaInfo,
  video: MediaStream,
  id: VideoContainerId,
  changes: StreamChanges = {},
): string[] {
  const { audioFilters, dropAudio = false, dropTimedText = false, fromZero = false } = changes;
  const container = videoContainer(id);
  const others = info.streams.filter((stream) => stream.index !== video.index);
  const isKept = (stream: MediaStream) =>
    audioFilters ? isDecodableAudio(stream) : stream.codec !== undefined;
  const audio = dropAudio ? [] : others.filter((one) => one.type === "audio" && isKept(one));
  const subtitles = dropTimedText
    ? []
    : others.flatMap((stream) => chooseSubtitleCodec(stream, id) ?? []);
  warnOfDropped(others, { audio, subtitles }, id, changes);
  const covers = container.holdsCover ? others.filter(isCover) : [];
  return [
    ...describeTrack("v", 0, video, id),
    ...audio.flatMap((stream, track) => [
      ...mapAudio(stream, track, id, changes),
      ...describeTrack("a", track, stream, id),
    ]),
    ...subtitles.flatMap(({ stream, codec }, track) => [
      ...mapStream(stream.index),
      ...encodeAs("s", track, codec),
      ...(fromZero ? filterPackets("s", track, [startSubtitlesAtZero]) : []),
      ...(changes.subtitlePackets ? filterPackets("s", track, [changes.subtitlePackets]) : []),
      ...describeTrack("s", track, stream, id),
    ]),
    // The video is the first video stream of the output, so cover art starts at 1.
    ...covers.flatMap(({ index }, position) => [
      ...mapStream(index),
      ...encodeAs("v", position + 1, "copy"),
      ...markAsCover(position + 1),
      ...copyStreamTags("v", position + 1, index),
    ]),
    ...(container.holdsAttachments ? copyAttachments : []),
    ...(dropTimedText ? dropChapters : []),
    "-max_muxing_queue_size",
    "4096",
    ...container.muxer,
  ];
}

/** Output: sets the language of the stream `position`, such as `a:0`, to a code of ISO 639-2. */
export function setLanguage(position: string, code: string, id: VideoContainerId): string[] {
  return setStreamTag(position, "language", id === "mov" ? toQuickTimeName(code) : code);
}

/** The number of subtitle tracks that `mapStreams` keeps. */
export function countKeptSubtitles({ streams }: MediaInfo, id: VideoContainerId): number {
  return streams.filter((stream) => chooseSubtitleCodec(stream, id)).length;
}

function isCover(stream: MediaStream): boolean {
  return stream.attachedPicture && ["mjpeg", "png"].includes(stream.codec ?? "");
}

function chooseSubtitleCodec(stream: MediaStream, id: VideoContainerId) {
  const { type, codec = "" } = stream;
  const { subtitles, textSubtitles: encoder } = videoContainer(id);
  if (type !== "subtitle") return undefined;
  if (subtitles === "any" || subtitles.includes(codec)) return { stream, codec: "copy" };
  return encoder && textSubtitles.includes(codec) ? { stream, codec: encoder } : undefined;
}

/**
 * Output arguments that copy what a file says of the track. ffmpeg copies no tags to the output of a
 * filter graph, nor to any stream once one is mapped, and makes the first of several tracks of a type the
 * default one if none is.
 */
function describeTrack(
  type: "v" | "a" | "s",
  track: number,
  { index, disposition, language }: MediaStream,
  id: VideoContainerId,
): string[] {
  return [
    ...copyStreamTags(type, track, index),
    ...(language ? setLanguage(`${type}:${track}`, language, id) : []),
    ...setDisposition(type, track, disposition),
  ];
}

function mapAudio(
  stream: MediaStream,
  track: number,
  id: VideoContainerId,
  { audioFilters, audioEncoding, fromZero }: StreamChanges,
): string[] {
  const { audio } = videoContainer(id);
  const isSupported = audio === "any" || audio.includes(stream.codec ?? "");
  if (!isDecodableAudio(stream) || (isSupported && !audioFilters && !audioEncoding)) {
    return [
      ...mapStream(stream.index),
      ...encodeAs("a", track, "copy"),
      ...(fromZero ? filterPackets("a", track, [dropPacketsOutside(-0.001)]) : []),
    ];
  }
  const filters = audioFilters?.(stream) ?? (fromZero ? ["atrim=start=0"] : undefined);
  const codec =
    isSupported && filters && !audioEncoding
      ? [...applyFilters("a", track, filters), ...sameCodecArguments(track, stream, id)]
      : audioCodecArguments(stream, track, id, filters, audioEncoding);
  return [...mapStream(stream.index), ...codec];
}

/**
 * Output arguments that encode the audio track `track` after `filters`, by default in the preferred
 * codec of the container `id`.
 */
export function audioCodecArguments(
  stream: AudioStream,
  track: number,
  id: VideoContainerId,
  filters: readonly string[] = [],
  encoding: AudioTrackEncoding = {},
): string[] {
  return [
    ...audioEncoderArguments(stream, track, id, encoding),
    ...applyFilters("a", track, [
      ...nameChannels(stream),
      ...filters,
      audioLayoutFilter(id, encoding),
    ]),
  ];
}

/**
 * The arguments of `audioCodecArguments` for the output of a filter graph, which ends with
 * `audioLayoutFilter`.
 */
export function audioEncoderArguments(
  stream: AudioStream,
  track: number,
  id: VideoContainerId,
  encoding: AudioTrackEncoding = {},
): string[] {
  const format = encoding.format ?? videoContainer(id).fallbackAudio;
  const { encode, layouts } = audioFormatTraits(format);
  const sampleRate = fitSampleRate(format, stream.sampleRate);
  const channels = Math.min(stream.channels, encoding.channels ?? layouts.length, layouts.length);
  const options = [
    ...encode(16),
    "-ar:a",
    `${sampleRate}`,
    ...bitRateArguments(format, encoding.bitRate, sampleRate, channels),
  ];
  // Every second item is a value.
  return options.map((option, position) => (position % 2 === 0 ? `${option}:${track}` : option));
}

/** The filter that gives audio a channel layout which the audio codec supports. */
export function audioLayoutFilter(id: VideoContainerId, encoding: AudioTrackEncoding = {}): string {
  const { layouts } = audioFormatTraits(encoding.format ?? videoContainer(id).fallbackAudio);
  return `aformat=channel_layouts=${layouts.slice(0, encoding.channels).join("|")}`;
}
