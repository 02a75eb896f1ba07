import { encodeAs, mapGraphOutput, mapStream, markAsCover } from "#lib/engines/ffmpeg/arguments.ts";
import { audioFormatOf, editedType } from "#lib/engines/ffmpeg/audio/edit-audio.ts";
import { muxerArguments } from "#lib/engines/ffmpeg/audio/filter-audio.ts";
import {
  type AudioFormat,
  audioFormatTraits,
  bitRateArguments,
  fitSampleRate,
} from "#lib/engines/ffmpeg/audio-formats.ts";
import {
  type AudioStream,
  findCover,
  requireAudio,
  tagArguments,
} from "#lib/engines/ffmpeg/audio-streams.ts";
import {
  nameChannels,
  supportedLayouts,
  withoutSide,
} from "#lib/engines/ffmpeg/channel-layouts.ts";
import type { MediaInfo } from "#lib/engines/ffmpeg/media-info.ts";
import { sameCodecArguments } from "#lib/engines/ffmpeg/same-audio-codec.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { type MediaType, mediaType } from "#lib/media/types.ts";

/** Several audio files that become one, in the format of the first. */

export interface AudioSource {
  readonly file: WorkFile & { readonly type: MediaType };
  readonly info: MediaInfo;
  /** The main audio track. */
  readonly stream: AudioStream;
}

/** Throws `JobError` as `requireAudio` does. */
export function createSource(file: AudioSource["file"], info: MediaInfo): AudioSource {
  return { file, info, stream: requireAudio(info) };
}

/** The format of the joined audio. */
export interface JoinedFormat {
  readonly format: AudioFormat | undefined;
  readonly stream: AudioStream;
  /** The layout, by ffmpeg's name. */
  readonly layout: string;
}

/**
 * The codec of the first source, with the highest sample rate and the most channels of all, as far as
 * the codec supports them. `format` is set if the first source is a video, whose audio is encoded.
 */
export function chooseJoinedFormat(sources: readonly AudioSource[]): JoinedFormat {
  const [first] = sources;
  if (!first) throw new Error("no sources");
  const id = audioFormatOf(first.file.type.id);
  const { layouts } = audioFormatTraits(id);
  const streams = sources.map(({ stream }) => stream);
  const most = Math.max(...streams.map(({ channels }) => channels));
  const channels = Math.min(most, layouts.length);
  const widest = streams.find((stream) => stream.channels === channels);
  const layout = (widest && knownLayout(widest, id)) ?? layouts[channels - 1] ?? "stereo";
  const fastest = Math.max(...streams.map(({ sampleRate }) => sampleRate));
  const sampleRate = fitSampleRate(id, fastest);
  const keepsBitRate = channels === first.stream.channels && sampleRate === first.stream.sampleRate;
  return {
    format: first.file.type.kind === "video" ? id : undefined,
    layout,
    stream: {
      ...first.stream,
      sampleRate,
      channels,
      bitRate: keepsBitRate ? first.stream.bitRate : undefined,
    },
  };
}

/** The layout of `stream` if the format supports it; a 5.1 layout has two names. */
function knownLayout(stream: AudioStream, format: AudioFormat) {
  const { channelLayout = "" } = stream;
  const layouts = supportedLayouts(format, stream);
  return [channelLayout, withoutSide(channelLayout)].find((name) => layouts.includes(name));
}

/** Filters that give the audio of `source` the form of the joined audio, with times from 0. */
export function conformFilters(source: AudioSource, { stream, layout }: JoinedFormat): string[] {
  return [
    ...nameChannels(source.stream),
    `aformat=sample_fmts=dblp:sample_rates=${stream.sampleRate}:channel_layouts=${layout}`,
    "asetpts=N/SR/TB",
  ];
}

/** Output arguments for the graph output `label`, with the tags and the cover art of the first source. */
export function joinedFileArguments(
  { file, info, stream }: AudioSource,
  joined: JoinedFormat,
  label: string,
): string[] {
  const { format } = joined;
  const { id } = mediaType(editedType(file.type.id));
  const { encode, muxer, holdsCover } = audioFormatTraits(format ?? audioFormatOf(id));
  const cover = holdsCover ? findCover(info) : undefined;
  const { sampleRate, channels } = joined.stream;
  return [
    ...mapGraphOutput(label),
    ...(cover ? [...mapStream(cover.index), ...encodeAs("v", 0, "copy"), ...markAsCover(0)] : []),
    ...(format
      ? [
          ...encode(16),
          "-ar",
          `${sampleRate}`,
          ...bitRateArguments(format, undefined, sampleRate, channels),
        ]
      : sameCodecArguments(0, joined.stream, id)),
    ...tagArguments(info, stream),
    ...(format ? muxer : muxerArguments(id)),
  ];
}
