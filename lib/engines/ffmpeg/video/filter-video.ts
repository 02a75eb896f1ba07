import { JobError } from "#lib/errors.ts";
import type { MediaType } from "#lib/media/types.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { alphaDecoder } from "../alpha.ts";
import {
  applyFilters,
  copyFlipped,
  ignoreRotation,
  keepFilterGraph,
  keepFilterGraphOf,
  mapStream,
  setStreamTag,
} from "../arguments.ts";
import { type Chapter, writeChapters } from "../audio/chapters.ts";
import { runFfmpeg, writtenDuration } from "../ffmpeg.ts";
import { mapStreams, type StreamChanges } from "../map-streams.ts";
import type { MediaInfo } from "../media-info.ts";
import { type VideoContainerId, videoCodecArguments } from "../video-formats.ts";
import {
  declareColors,
  evenFrame,
  type Frame,
  rotatedFrame,
  type VideoStream,
} from "../video-frame.ts";
import {
  chooseEncoding,
  deinterlaceFilters,
  frameTimeArguments,
  interlacingArguments,
  repeatFrames,
  type VideoEncoding,
} from "./choose-encoding.ts";
import { keepHdrMetadata } from "./hdr-metadata.ts";

/** Encodes a video again with filters, and keeps everything else of its file. */

export interface VideoFile {
  readonly input: WorkFile & { readonly type: MediaType };
  readonly info: MediaInfo;
  readonly video: VideoStream;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
}

export interface VideoFilterRequest extends VideoFile, Omit<StreamChanges, "work"> {
  /** Replaces the chapters, if filters change times. By default they are kept. */
  readonly chapters?: readonly Chapter[] | undefined;
  /**
   * ffmpeg filters of the frames. They see frames of one size: as coded, while the rotation stays a
   * tag, or upright and progressive if `frame` is set.
   */
  readonly filters: readonly string[];
  /** The size after the filters, in pixels. Set it if the filters move pixels. */
  readonly frame?: Frame;
  /** The encoding; that of `chooseEncoding` by default. */
  readonly encoding?: VideoEncoding;
  /** The encoder and its options; by default those of `videoCodecArguments`. */
  readonly codecArguments?: ((frame: Frame) => readonly string[]) | undefined;
  /** The duration in seconds; by default that of the input. */
  readonly duration?: number | undefined;
  /** Further options of the input and of the output; see `arguments.ts`. */
  readonly inputArguments?: readonly string[];
  readonly outputArguments?: readonly string[];
  /** The arguments for the times of frames; those that keep them by default. */
  readonly timeArguments?: readonly string[];
}

/** An output with its size in pixels and its duration in seconds. */
export type VideoOutput = WorkFile & Frame & { readonly duration: number };

/**
 * Writes the video of `input` through `filters` to the same container, in the same codec where it
 * can be encoded, with the same pixel format, color tags and frame times. Audio without filters,
 * subtitles, cover art, attachments, chapters and tags are copied. Throws `JobError("corrupt")` if
 * no frame can be decoded, and what `runFfmpeg` throws.
 */
export async function filterVideo(request: VideoFilterRequest): Promise<VideoOutput> {
  const { input, info, video, work, signal, progress } = request;
  const encoding = request.encoding ?? chooseEncoding(input.type.id, video);
  const { container, codec } = encoding;
  const output = outputOf(request, container);
  const upright = rotatedFrame(video);
  const isUpright = request.frame !== undefined;
  const frame = padToStep(request.frame ?? video, encoding.sideStep);
  const duration = request.duration ?? info.duration;
  const chapters = request.chapters && (await writeChapters(request.chapters, 1, work));
  const encoder = request.codecArguments?.(frame) ?? videoCodecArguments(codec, container, frame);
  const args = [
    ...mapStream(video.index),
    ...(await keepHdrMetadata(encoder, codec, request)),
    ...applyFilters("v", 0, completeFilters(request, encoding, frame)),
    ...(isUpright ? [] : interlacingArguments(codec, video)),
    ...(request.timeArguments ?? frameTimeArguments(encoding, video)),
    ...mapStreams(info, video, container, request),
    ...(isUpright ? setStreamTag("v:0", "rotate", "") : []),
    ...(request.outputArguments ?? []),
    ...(chapters?.args ?? []),
  ];
  const { frames, seconds } = await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    frame: {
      width: Math.max(video.width, frame.width),
      height: Math.max(video.height, frame.height),
    },
    inputs: [
      {
        file: input,
        args: [
          ...(isUpright ? keepFilterGraphOf(video) : [...ignoreRotation, ...keepFilterGraph]),
          ...alphaDecoder(video),
          ...(request.inputArguments ?? []),
        ],
      },
      ...(chapters?.input ? [chapters.input] : []),
    ],
    outputs: [{ file: output, args }],
  });
  if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be decoded.");
  const isTurned = !isUpright && upright.width !== video.width;
  const [width, height] = isTurned ? [frame.height, frame.width] : [frame.width, frame.height];
  return { ...output, width, height, duration: writtenDuration(duration, seconds) };
}

/** The output file for `container`, with the extension of the input if it is the same container. */
export function outputOf({ input, work }: VideoFile, container: VideoContainerId): WorkFile {
  return work.output(container === input.type.id ? input.type.extension : container);
}

function padToStep(frame: Frame, step: 1 | 2): Frame {
  return step === 2 ? evenFrame(frame) : frame;
}

function completeFilters(request: VideoFilterRequest, encoding: VideoEncoding, target: Frame) {
  const { video, filters, frame } = request;
  const first = frame ? rotatedFrame(video) : video;
  const last = frame ?? video;
  const right = target.width - last.width;
  const bottom = target.height - last.height;
  const hasOwnRate =
    request.timeArguments !== undefined || filters.some((filter) => filter.includes("fps="));
  // Padding by one pixel is not possible with subsampled chroma.
  const pad = [
    "format=yuv444p",
    `pad=${target.width}:${target.height}`,
    `fillborders=right=${right}:bottom=${bottom}:mode=smear`,
  ];
  return [
    // Frames of another size are scaled to the size of the first.
    `scale=${first.width}:${first.height}`,
    ...deinterlaceFilters(video, frame ? undefined : encoding.codec),
    ...filters,
    ...(hasOwnRate ? [] : repeatFrames(encoding, video)),
    ...declareColors(video, target.height),
    ...(encoding.codec === "hevc" && frame ? copyFlipped : []),
    ...(right + bottom > 0 ? pad : []),
    ...(encoding.pixelFormat ? [`format=${encoding.pixelFormat}`] : []),
  ];
}
