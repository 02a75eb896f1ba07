import {
  audioFormatTraits,
  bitRateOptions,
  fitSampleRate,
} from "#lib/engines/ffmpeg/audio-formats.ts";
import { type VideoContainerId, videoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { isSound, type SoundStream } from "./audio.ts";
import type { MediaInfo, MediaStream } from "./media-info.ts";

/** All that a film has beside its pictures: what a container can hold of it is kept. */

const textSubtitles = ["subrip", "ass", "ssa", "mov_text", "webvtt", "text"];

/**
 * Output options that keep, of input 0, every audio track, the subtitles, cover picture, attachments,
 * chapters and tags that the container `id` can hold; the film itself, `video`, is mapped by the
 * caller first. Audio is copied where the container has its codec and else encoded.
 */
export function keepStreams(info: MediaInfo, video: MediaStream, id: VideoContainerId): string[] {
  const container = videoContainer(id);
  const others = info.streams.filter((stream) => stream.index !== video.index);
  const audio = others.filter((stream) => stream.type === "audio" && stream.codec !== undefined);
  const subtitles = others.flatMap((stream) => keepSubtitle(stream, id) ?? []);
  const covers = container.cover ? others.filter(isCover) : [];
  return [
    ...keepTags(video, "v", 0),
    ...audio.flatMap((stream, track) => [
      ...keepAudio(stream, track, id),
      ...keepTags(stream, "a", track),
    ]),
    ...subtitles.flatMap(({ stream, codec }, track) => [
      ...["-map", `0:${stream.index}`, `-c:s:${track}`, codec],
      ...keepTags(stream, "s", track),
    ]),
    // The film comes first, so a cover's place among the video streams starts at 1.
    ...covers.flatMap((stream, place) => [
      ...["-map", `0:${stream.index}`, `-c:v:${place + 1}`, "copy"],
      ...[`-disposition:v:${place + 1}`, "attached_pic", ...keepTags(stream, "v", place + 1)],
    ]),
    ...(container.attachments ? ["-map", "0:t?", "-c:t", "copy"] : []),
    ...["-max_muxing_queue_size", "4096", ...container.muxer],
  ];
}

/** A film out of a filter graph takes its tags only if told, and then every stream must be told. */
function keepTags({ index }: MediaStream, type: "v" | "a" | "s", place: number): string[] {
  return [`-map_metadata:s:${type}:${place}`, `0:s:${index}`];
}

function isCover(stream: MediaStream): boolean {
  return stream.attachedPicture && ["mjpeg", "png"].includes(stream.codec ?? "");
}

function keepSubtitle(stream: MediaStream, id: VideoContainerId) {
  const { subtitles, textSubtitles: encoder } = videoContainer(id);
  const { type, codec = "" } = stream;
  if (type !== "subtitle") return undefined;
  if (subtitles === "any" || subtitles.includes(codec)) return { stream, codec: "copy" };
  return encoder && textSubtitles.includes(codec) ? { stream, codec: encoder } : undefined;
}

function keepAudio(stream: MediaStream, track: number, id: VideoContainerId): string[] {
  const { audio } = videoContainer(id);
  const map = ["-map", `0:${stream.index}`];
  if (audio === "any" || audio.includes(stream.codec ?? "") || !isSound(stream)) {
    return [...map, `-c:a:${track}`, "copy"];
  }
  return [...map, ...encodeAudio(stream, track, id)];
}

/**
 * Options that encode output audio track `track` as the container `id` likes it best, after `filters`
 * of ours.
 */
export function encodeAudio(
  sound: SoundStream,
  track: number,
  id: VideoContainerId,
  filters: readonly string[] = [],
): string[] {
  const format = videoContainer(id).fallbackAudio;
  const { encode, layouts } = audioFormatTraits(format);
  const sampleRate = fitSampleRate(format, sound.sampleRate);
  const channels = Math.min(sound.channels, layouts.length);
  const options = [
    ...encode(16),
    ...["-ar", `${sampleRate}`],
    ...bitRateOptions(format, undefined, sampleRate, channels),
    ...["-filter", [...filters, `aformat=channel_layouts=${layouts.join("|")}`].join(",")],
  ];
  return options.map((option, place) => {
    if (place % 2 === 1) return option;
    return `${option.endsWith(":a") ? option : `${option}:a`}:${track}`;
  });
}
