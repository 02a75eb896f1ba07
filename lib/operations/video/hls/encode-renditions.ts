import { alphaDecoder } from "#lib/engines/ffmpeg/alpha.ts";
import {
  applyFilters,
  dropChapters,
  dropTags,
  encodeAs,
  keepFilterGraphOf,
  keepFrameTimes,
  mapGraphOutput,
  mapStream,
} from "#lib/engines/ffmpeg/arguments.ts";
import { type AudioStream, isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { toNumber } from "#lib/engines/ffmpeg/ffprobe.ts";
import type { MediaStream } from "#lib/engines/ffmpeg/media-info.ts";
import { deinterlaceFilters } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import { targetFormat } from "#lib/engines/ffmpeg/video/target-format.ts";
import { declareColors, type Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import {
  encodeRendition,
  type HlsCodec,
  initName,
  maxBitRate,
  segmentExtension,
  writeSegments,
} from "./arguments.ts";
import { encodeSubtitles } from "./encode-subtitles.ts";
import { type EncodedStream, maxTracks, type Source } from "./encoded-stream.ts";

export interface Presentation {
  /** The videos, the largest first. */
  readonly videos: readonly (EncodedStream & { readonly frame: Frame })[];
  readonly audios: readonly (EncodedStream & { readonly stream: AudioStream })[];
  readonly subtitles: readonly (EncodedStream & { readonly stream: MediaStream })[];
  /** The frames per second, on average. */
  readonly fps: number;
}

export interface RenditionOptions {
  readonly frames: readonly Frame[];
  readonly codec: HlsCodec;
  /** The length of a segment in seconds. */
  readonly segment: number;
}

/** The longest distance of key frames, in seconds; a segment has a whole number of them. */
const maxGop = 2;

/**
 * Encodes all renditions in one run, so that the video is decoded once, and every audio track once.
 * Throws `JobError("corrupt")` if no frame can be decoded, and what `runFfmpeg` throws.
 */
export async function encodeRenditions(
  source: Source,
  { frames, codec, segment }: RenditionOptions,
): Promise<Presentation> {
  const { file, info, video, work, signal, progress } = source;
  const fps = toNumber(video.averageFrameRate) || 25;
  const gop = segment / Math.ceil(segment / maxGop);
  const videos = frames.map((frame) => ({ frame, playlist: work.scratch("m3u8") }));
  const audios = info.streams
    .filter(isDecodableAudio)
    .slice(0, maxTracks)
    .map((stream) => ({ stream, playlist: work.scratch("m3u8") }));
  const labels = videos.map((_, index) => `[s${index}]`).join("");
  const toShow = [...deinterlaceFilters(video), ...targetFormat(video, "h264", "mp4").filters];
  const first = [...toShow, `split=${videos.length}`].join(",");
  const scales = videos.map(({ frame: { width, height } }, index) => {
    const filters = [
      `scale=${width}:${height}:flags=bicubic:out_range=tv`,
      "setsar=1",
      ...declareColors(video, height),
      "format=yuv420p",
    ];
    return `[s${index}]${filters.join(",")}[v${index}]`;
  });
  const result = await runFfmpeg({
    work,
    signal,
    progress,
    duration: info.duration,
    frame: video,
    inputs: [{ file, args: [...keepFilterGraphOf(video), ...alphaDecoder(video)] }],
    filterGraphs: [[`[0:${video.index}]${first}${labels}`, ...scales].join(";")],
    outputs: [
      ...videos.map(({ frame, playlist }, index) => ({
        file: playlist,
        args: [
          ...mapGraphOutput(`v${index}`),
          ...encodeRendition(codec, maxBitRate(frame, fps, codec), gop),
          ...keepFrameTimes(video.timeBase),
          ...dropTags,
          ...dropChapters,
          ...writeSegments(playlist, codec, segment),
        ],
      })),
      ...audios.map(({ stream, playlist }) => ({
        file: playlist,
        args: [
          ...mapStream(stream.index),
          ...audioArguments(stream),
          ...dropTags,
          ...dropChapters,
          ...writeSegments(playlist, codec, segment),
        ],
      })),
    ],
  });
  if (result.frames === 0) {
    throw new JobError("corrupt", "The video in this file cannot be decoded.");
  }
  const complete = async <Stream extends { playlist: WorkFile }>(stream: Stream) => ({
    ...stream,
    init: codec === "h264" ? undefined : initFile(stream.playlist, work),
    segments: await work.listNumbered(stream.playlist, segmentExtension(codec)),
  });
  const encodedAudios = await Promise.all(audios.map(complete));
  return {
    videos: await Promise.all(videos.map(complete)),
    audios: encodedAudios.filter(({ segments }) => segments.length > 0),
    subtitles: await encodeSubtitles(source, codec),
    fps,
  };
}

function initFile(playlist: WorkFile, work: WorkFolder): WorkFile {
  const name = initName(playlist);
  return { name, path: `${work.root}/${name}`, extension: "mp4" };
}

/** AAC-LC in stereo, which every player supports. It is copied if it is that already. */
function audioArguments({ codec, profile, channels, sampleRate }: AudioStream): string[] {
  if (codec === "aac" && profile === "LC" && channels <= 2) return encodeAs("a", 0, "copy");
  const rate = [44_100, 48_000].includes(sampleRate) ? sampleRate : 48_000;
  const layout = channels === 1 ? "mono" : "stereo";
  return [
    ...applyFilters("a", 0, [`aresample=${rate}:async=1`, `aformat=channel_layouts=${layout}`]),
    "-c:a",
    "aac",
    "-b:a",
    channels === 1 ? "96k" : "128k",
  ];
}
