import { alphaDecoder } from "#lib/engines/ffmpeg/alpha.ts";
import {
  applyFilters,
  dropChapters,
  encodeAs,
  keepFilterGraphOf,
  limitDuration,
  mapStream,
  seekTo,
  withoutEditList,
} from "#lib/engines/ffmpeg/arguments.ts";
import { isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { audioCodecArguments, mapStreams } from "#lib/engines/ffmpeg/map-streams.ts";
import {
  type MediaInfo,
  type MediaStream,
  type Rational,
  toNumber,
} from "#lib/engines/ffmpeg/media-info.ts";
import { deinterlaceFilters, isInterlaced } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import { constantRateFrom, partRate } from "#lib/engines/ffmpeg/video/constant-rate.ts";
import { irregularRate } from "#lib/engines/ffmpeg/video/steady-rate.ts";
import { targetFormat } from "#lib/engines/ffmpeg/video/target-format.ts";
import { videoCodecArguments, videoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import {
  evenFrame,
  fitFrameFilters,
  rotatedFrame,
  type VideoStream,
} from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";

/** Trims a video to an MP4 that plays in every browser. */

export interface VideoTrim {
  readonly file: WorkFile;
  readonly info: MediaInfo;
  readonly video: VideoStream;
  /** The range in seconds from the start of the video; undefined for the whole video. */
  readonly range: { readonly start: number; readonly duration: number } | undefined;
  readonly output: WorkFile;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
}

/**
 * Encodes a range of a video as H.264 and AAC, or copies a whole video that every browser plays. The
 * first frame is a key frame at time 0: the one on screen at the start of the range. Throws
 * `JobError("corrupt")` if no frame of the range can be decoded, and what `runFfmpeg` throws.
 */
export async function trimVideo(trim: VideoTrim): Promise<void> {
  const { info, range, video } = trim;
  if (!range && isPlayable(info, video)) {
    const copy = [...mapStream(video.index), ...encodeAs("v", 0, "copy")];
    await run(trim, [], [...copy, ...mapStreams(info, video, "mp4")]);
    return;
  }
  const start = range?.start ?? 0;
  for (const lead of leadsOf(info.format)) {
    const seek = start > lead ? start - lead : 0;
    const decoding = [...keepFilterGraphOf(video), ...alphaDecoder(video)];
    const inputArguments = [...decoding, ...(seek > 0 ? seekTo(seek) : [])];
    const written = await run(trim, inputArguments, encodingArguments(trim, start - seek));
    if (written > 0) return;
    if (seek === 0) break;
  }
  throw new JobError("corrupt", "The video cannot be decoded at the start of the clip.");
}

/**
 * Seconds before the range at which decoding starts; each is tried until there are frames. In formats
 * without an index, a seek ends anywhere, and there is no frame until the next key frame.
 */
function leadsOf(format: string): number[] {
  return /^mpeg/.test(format) ? [10, Number.POSITIVE_INFINITY] : [0, Number.POSITIVE_INFINITY];
}

/** The number of frames that were written. */
async function run(trim: VideoTrim, inputArguments: string[], outputArguments: string[]) {
  const { file, info, range, video, output, work, signal, progress } = trim;
  const { frames } = await runFfmpeg({
    work,
    signal,
    progress,
    duration: range?.duration ?? info.duration,
    frame: video,
    inputs: [{ file, args: inputArguments }],
    outputs: [
      {
        file: output,
        args: [
          ...outputArguments,
          ...withoutEditList,
          ...(range ? limitDuration(range.duration) : []),
        ],
      },
    ],
  });
  return frames;
}

/** Whether every browser plays the progressive video stream, and it starts with the file, so that it can be copied. */
function isPlayable(info: MediaInfo, video: MediaStream) {
  const { codec, pixelFormat = "", startTime = 0 } = video;
  const delay = startTime - (info.startTime ?? 0);
  return (
    codec === "h264" &&
    /^yuvj?420p$/.test(pixelFormat) &&
    !isInterlaced(video) &&
    Math.abs(delay) < 0.001
  );
}

/**
 * Arguments that encode from `offset` seconds after the start of decoding. Frames before the one that is
 * on screen at that time are dropped. Subtitles and chapters, which belong to the whole video, are not
 * kept.
 */
function encodingArguments({ info, video, range }: VideoTrim, offset: number): string[] {
  const frame = rotatedFrame(video);
  const duration = range?.duration ?? info.duration;
  const begin = offset.toFixed(6);
  const filters = [
    ...deinterlaceFilters(video),
    ...targetFormat(video, "h264", "mp4").filters,
    ...fitFrameFilters(frame, evenFrame(frame), "yuv420p", "tv"),
    ...constantRateFrom(offset, chooseRate(video), duration),
  ];
  const audioFilters = [`atrim=start=${begin}`, `asetpts=PTS-${begin}/TB`];
  return [
    ...mapStream(video.index),
    ...applyFilters("v", 0, filters),
    ...videoCodecArguments("h264", "mp4", frame),
    ...info.streams
      .filter(isDecodableAudio)
      .flatMap((stream, track) => [
        ...mapStream(stream.index),
        ...audioCodecArguments(stream, track, "mp4", [
          ...audioFilters,
          "aresample=async=1:first_pts=0",
        ]),
      ]),
    ...dropChapters,
    ...videoContainer("mp4").muxer,
  ];
}

/** The video's frame rate if it is constant and at most 60, else 30 or 60. Slides are repeated. */
function chooseRate({ frameRate, averageFrameRate }: MediaStream): number | Rational {
  const nominal = toNumber(frameRate);
  const average = toNumber(averageFrameRate);
  const isConstant = Math.abs(nominal - average) <= 0.05 * average;
  if (frameRate && isConstant && nominal <= 60) {
    return partRate(frameRate);
  }
  return irregularRate(average);
}
