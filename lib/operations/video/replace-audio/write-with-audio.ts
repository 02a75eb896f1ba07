import {
  copyAttachments,
  encodeAs,
  mapGraphOutput,
  mapStream,
  mapStreamOf,
  repeatEndlessly,
  setDisposition,
  setStreamTag,
} from "#lib/engines/ffmpeg/arguments.ts";
import { moveChapters, writeChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import { type AudioStream, isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { nameChannels } from "#lib/engines/ffmpeg/channel-layouts.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import {
  audioEncoderArguments,
  audioLayoutFilter,
  setLanguage,
} from "#lib/engines/ffmpeg/map-streams.ts";
import type { MediaInfo, MediaStream } from "#lib/engines/ffmpeg/media-info.ts";
import { declaredEnd } from "#lib/engines/ffmpeg/video/measure-video.ts";
import {
  toVideoContainer,
  type VideoContainerId,
  videoContainer,
} from "#lib/engines/ffmpeg/video-formats.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import type { InputFile } from "../../define.ts";

export interface AudioReplacement {
  readonly input: InputFile;
  readonly info: MediaInfo;
  readonly added: {
    readonly file: WorkFile;
    readonly info: MediaInfo;
    readonly stream: AudioStream;
  };
  readonly mix: boolean;
  /** The factor of the volume. */
  readonly volume: number;
  readonly loop: boolean;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress: (percent: number) => void;
}

/**
 * Writes the video of `input` with the added audio. Video, subtitles, cover art, chapters and tags are
 * copied; with `mix` the other audio tracks are, too. The added audio is copied if nothing about it
 * changes. Returns the output with its duration in seconds. Throws `JobError("corrupt")` if the video
 * cannot be read, and what `runFfmpeg` throws.
 */
export async function writeWithAudio(
  request: AudioReplacement,
): Promise<WorkFile & { duration?: number }> {
  const { input, info, added, mix, loop, work, signal, progress } = request;
  const id = toVideoContainer(input.type.id);
  const duration = findEnd(request);
  const tracks = info.streams.filter(isDecodableAudio);
  const main = tracks.find(({ disposition }) => disposition.default === 1) ?? tracks[0];
  const mixed = mix ? main : undefined;
  const others = mix ? tracks.filter((track) => track !== main) : [];
  const copied = !mixed && canCopy(request, id, duration);
  const end = duration === undefined ? [] : ["-t", duration.toFixed(6)];
  const kept = (type: string) => info.streams.filter((stream) => stream.type === type);
  const videos = kept("video").filter((stream) => id !== "ogv" || !stream.attachedPicture);
  const output = work.output(input.extension);
  const audio = copied
    ? [...mapStreamOf(1, added.stream.index), ...encodeAs("a", 0, "copy")]
    : [...mapGraphOutput("audio"), ...audioEncoderArguments(mixed ?? added.stream, 0, id)];
  const own = moveChapters(info.chapters, (time) => time, duration ?? Number.POSITIVE_INFINITY);
  const chapters = await writeChapters(own, 2, work);
  const args = [
    ...videos.flatMap(({ index }, track) => [...mapStream(index), ...encodeAs("v", track, "copy")]),
    ...audio,
    ...tagTrack(mixed ?? added.stream, id),
    ...setDisposition("a", 0, mixed?.disposition ?? { default: 1 }),
    ...others.flatMap(({ index }, track) => [
      ...mapStream(index),
      ...encodeAs("a", track + 1, "copy"),
    ]),
    ...kept("subtitle").flatMap(({ index }, track) => [
      ...mapStream(index),
      ...encodeAs("s", track, "copy"),
    ]),
    ...(videoContainer(id).holdsAttachments ? copyAttachments : []),
    ...chapters.args,
    "-max_muxing_queue_size",
    "4096",
    ...videoContainer(id).muxer,
  ];
  const { frames } = await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    inputs: [
      { file: input },
      { file: added.file, args: [...(loop ? repeatEndlessly : []), ...end] },
      ...(chapters.input ? [chapters.input] : []),
    ],
    ...(copied ? {} : { filterGraphs: [buildGraph(request, mixed, id, duration)] }),
    outputs: [{ file: output, args }],
  });
  if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be read.");
  return { ...output, ...(duration === undefined ? {} : { duration }) };
}

/**
 * When added audio ends at the latest, in seconds from the start of the file: with the video, or with the
 * file if its own audio stays.
 */
function findEnd({ info, mix }: AudioReplacement): number | undefined {
  return (mix ? undefined : declaredEnd(info, requireVideo(info))) ?? info.duration;
}

function canCopy(
  { added, volume, loop }: AudioReplacement,
  id: VideoContainerId,
  duration = 0,
): boolean {
  const { audio } = videoContainer(id);
  const fits = audio === "any" || audio.includes(added.stream.codec ?? "");
  const repeats = loop && (added.info.duration ?? 0) < duration;
  return fits && volume === 1 && !repeats;
}

function buildGraph(
  { added, volume }: AudioReplacement,
  mixed: AudioStream | undefined,
  id: VideoContainerId,
  duration: number | undefined,
): string {
  const rate = (mixed ?? added.stream).sampleRate;
  const end = duration === undefined ? [] : [`atrim=end=${duration.toFixed(6)}`];
  // Where audio begins again, its last packet may be incomplete; silence fills such gaps.
  const resample = `aresample=${rate}:async=1:first_pts=0`;
  const loud = [...nameChannels(added.stream), `volume=${volume.toFixed(4)}`, resample, ...end];
  const source = `[1:${added.stream.index}]${loud.join(",")}`;
  if (!mixed) return `${source},${audioLayoutFilter(id)}[audio]`;
  const layout = mixed.channelLayout ? `,aformat=channel_layouts=${mixed.channelLayout}` : "";
  const mix = ["amix=inputs=2:duration=longest:normalize=0", ...end, audioLayoutFilter(id)];
  const own = `[0:${mixed.index}]${[...nameChannels(mixed), resample].join(",")}[own]`;
  return `${source}${layout}[added];${own};[own][added]${mix.join(",")}[audio]`;
}

/** ffmpeg copies no tags to the output of a filter graph. */
function tagTrack({ language, tags }: MediaStream, id: VideoContainerId): string[] {
  return [
    ...setLanguage("a:0", language ?? "", id),
    ...setStreamTag("a:0", "title", tags.title ?? ""),
  ];
}
