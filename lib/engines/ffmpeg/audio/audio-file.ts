import { applyFilters, encodeAs, mapStream, markAsCover } from "../arguments.ts";
import {
  type AudioFormat,
  audioFormatTraits,
  bitRateArguments,
  fitBitRate,
  fitSampleRate,
} from "../audio-formats.ts";
import { type AudioStream, chooseSampleDepth, findCover, tagArguments } from "../audio-streams.ts";
import { nameChannels, supportedLayouts } from "../channel-layouts.ts";
import type { MediaInfo } from "../media-info.ts";

export interface AudioEncoding {
  readonly format: AudioFormat;
  /** The sample rate in Hz; the nearest rate that the format supports is used. */
  readonly sampleRate: number;
  /** The number of channels, of which no more are used than the format supports; the stream's own by default. */
  readonly channels?: number | undefined;
  /**
   * The bit rate in bit/s; the nearest that the format supports is used. Lossless formats ignore
   * it.
   */
  readonly bitRate?: number | undefined;
  /** The filters that are applied to the audio before it is encoded. */
  readonly filters?: readonly string[];
}

/** The number of channels and the rates with which `encoding` is possible. */
export function fitEncoding(stream: AudioStream, { format, bitRate, ...wanted }: AudioEncoding) {
  const { layouts } = audioFormatTraits(format);
  const channels = Math.min(wanted.channels ?? stream.channels, layouts.length);
  const sampleRate = fitSampleRate(format, wanted.sampleRate);
  const fitted = bitRate && fitBitRate(format, bitRate, sampleRate, channels);
  return { channels, sampleRate, bitRate: fitted };
}

/**
 * Output arguments for an audio file with `stream`, its tags and, if the format supports it, cover
 * art.
 */
export function audioFileArguments(
  info: MediaInfo,
  stream: AudioStream,
  encoding: AudioEncoding,
): string[] {
  const { format, filters = [] } = encoding;
  const { encode } = audioFormatTraits(format);
  const layouts = supportedLayouts(format, stream);
  const { channels, sampleRate, bitRate } = fitEncoding(stream, encoding);
  const allowedLayouts = encoding.channels ? layouts.slice(channels - 1, channels) : layouts;
  return fileArguments(info, stream, format, [
    ...applyFilters("a", 0, [
      ...nameChannels(stream),
      ...filters,
      `aformat=channel_layouts=${allowedLayouts.join("|")}`,
    ]),
    ...encode(chooseSampleDepth(stream)),
    "-ar",
    `${sampleRate}`,
    ...bitRateArguments(format, bitRate, sampleRate, channels),
  ]);
}

/** The codecs of audio that a file of the format can hold without encoding, by ffprobe's names. */
const copiedCodecs: Record<AudioFormat, readonly string[]> = {
  mp3: ["mp3"],
  aac: ["aac"],
  m4a: ["aac", "alac"],
  ogg: ["vorbis"],
  opus: ["opus"],
  flac: ["flac"],
  wav: ["pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le"],
};

/** Whether an audio file of `format` can hold a copy of `stream`. */
export function canCopyAudio(format: AudioFormat, { codec = "" }: AudioStream): boolean {
  return copiedCodecs[format].includes(codec);
}

/** The arguments of `audioFileArguments` without encoding; `canCopyAudio` must be true. */
export function audioCopyArguments(
  info: MediaInfo,
  stream: AudioStream,
  format: AudioFormat,
): string[] {
  return fileArguments(info, stream, format, encodeAs("a", 0, "copy"));
}

function fileArguments(
  info: MediaInfo,
  stream: AudioStream,
  format: AudioFormat,
  codec: readonly string[],
): string[] {
  const { muxer, holdsCover } = audioFormatTraits(format);
  const cover = holdsCover ? findCover(info) : undefined;
  return [
    ...mapStream(stream.index),
    "-sn",
    "-dn",
    ...(cover
      ? [...mapStream(cover.index), ...encodeAs("v", 0, "copy"), ...markAsCover(0)]
      : ["-vn"]),
    ...codec,
    ...tagArguments(info, stream),
    ...muxer,
  ];
}
