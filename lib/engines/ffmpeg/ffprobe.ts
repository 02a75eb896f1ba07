import { stat } from "node:fs/promises";
import { JobError } from "#lib/errors.ts";
import { limitError } from "#lib/limits/limits.ts";
import { EngineError } from "../sandbox/errors.ts";
import { failAs } from "../sandbox/failures.ts";
import { runEngine } from "../sandbox/process.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { guardedProbeOptions } from "./demuxers.ts";
import { explainMediaFailure, hugeFramesError, tellsOfHugeFrames } from "./errors.ts";
import { mediaPath } from "./ffmpeg.ts";
import { checkMediaLimits } from "./limits.ts";
import { type MediaInfo, type MediaStream, mediaInfo } from "./media-info.ts";

export type { MediaInfo, MediaStream, Rational } from "./media-info.ts";
export { toNumber } from "./media-info.ts";

/** Milliseconds. Inspecting is cheap; a file that takes longer was made to. */
const inspectLimit = 10_000;

/** Milliseconds. Where no header tells the length, every packet of a large file is passed over. */
const measureLimit = 60_000;

/** Below this many bit/s a declared duration is not believed: the slowest speech codec needs more. */
const implausibleBitRate = 500;

const entries = [
  "format=format_name,duration,start_time,bit_rate:format_tags",
  "stream=index,codec_type,codec_name,codec_tag_string,profile,pix_fmt,width,height," +
    "sample_aspect_ratio,field_order,color_range,color_space,color_transfer,color_primaries," +
    "chroma_location,r_frame_rate,avg_frame_rate,time_base,sample_fmt,sample_rate,channels," +
    "channel_layout,bits_per_raw_sample,bit_rate,duration,start_time,nb_frames",
  "stream_disposition:stream_tags:stream_side_data_list:chapter=start_time,end_time:chapter_tags",
  "packet=stream_index:packet_side_data_list",
].join(":");

/**
 * What `file` holds. Throws `JobError`: `corrupt` where nothing in it can be decoded, `encrypted`,
 * `too_complex` past a cap, `unsupported_type`, `timed_out` after 10 s.
 * The duration is of the real packets where the header's is missing or not to be believed.
 */
export async function probe(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<MediaInfo> {
  const args = ["-of", "json", "-show_entries", entries, "-read_intervals", "%+#4"];
  const { stdout, stderrTail } = await runProbe(file, work, signal, args);
  const info = parseInfo(stdout.toString("utf8"));
  if (tellsOfHugeFrames(stderrTail)) throw hugeFramesError();
  if (info.encrypted) {
    throw new JobError("encrypted", "The file is encrypted; send one without copy protection.");
  }
  if (!info.streams.some(isMedia)) {
    throw new JobError("corrupt", "The file has no video or sound that can be decoded.");
  }
  const { size } = await stat(file.path);
  const believed = info.duration !== undefined && (size * 8) / info.duration >= implausibleBitRate;
  const measured = believed ? info : await measureDuration(info, file, work, signal);
  checkMediaLimits(measured, work.limits);
  return measured;
}

/**
 * The film in a file: its first video stream that is not a cover picture. Throws
 * `JobError("unsupported_type")` where there is none.
 */
export function requireVideo(info: MediaInfo): MediaStream & { width: number; height: number } {
  const video = info.streams.find((stream) => stream.type === "video" && !stream.attachedPicture);
  if (!video) throw new JobError("unsupported_type", "The file has no video, only sound.");
  const { width, height } = video;
  if (!width || !height) {
    throw new JobError("corrupt", "The video in this file cannot be decoded.");
  }
  return { ...video, width, height };
}

function parseInfo(text: string): MediaInfo {
  try {
    return mediaInfo.parse(JSON.parse(text));
  } catch (cause) {
    throw failAs("corrupt", cause);
  }
}

function isMedia(stream: MediaStream): boolean {
  return ["video", "audio"].includes(stream.type) && stream.codec !== undefined;
}

async function measureDuration(
  info: MediaInfo,
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<MediaInfo> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  const args = ["-of", "csv=p=0", "-show_entries", "packet=pts_time,duration_time"];
  await runProbe(file, work, signal, args, (line) => {
    const [start = Number.NaN, length = 0] = line.split(",").map(Number);
    if (!Number.isFinite(start)) return;
    first = Math.min(first, start);
    last = Math.max(last, start + (Number.isFinite(length) ? length : 0));
  });
  if (last < first) throw new JobError("corrupt", "The file holds no video or sound.");
  const duration = Math.round((last - first) * 1e6) / 1e6;
  const shorten = (stream: MediaStream) => ({
    ...stream,
    duration: stream.duration && Math.min(stream.duration, duration),
  });
  return { ...info, duration, streams: info.streams.map(shorten) };
}

async function runProbe(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
  args: string[],
  onLine?: (line: string) => void,
) {
  try {
    return await runEngine({
      engine: "ffprobe",
      command: "ffprobe",
      args: ["-hide_banner", "-v", "error", ...guardedProbeOptions, ...args, mediaPath(file)],
      ...work.view,
      signal,
      ...(onLine ? { onLine } : {}),
      variables: { MALLOC_ARENA_MAX: "2" },
      limits: {
        timeoutMs: onLine ? measureLimit : inspectLimit,
        cpuSeconds: 60,
        memoryBytes: 2 * 2 ** 30,
        limitsAddressSpace: true,
        fileBytes: 0,
        outputBytes: onLine ? 256 * 2 ** 20 : work.limits.mediaHeaderBytes,
      },
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.outputTooLarge) {
      throw limitError("mediaHeaderBytes", work.limits.mediaHeaderBytes, error);
    }
    const explained = explainMediaFailure(error, work.limits);
    // It is asked the same of every file: where it gives up without a word, the file is the reason.
    const gaveUp = explained === error && !error.aborted && error.exitCode === 1;
    throw gaveUp ? failAs("corrupt", error) : explained;
  }
}
