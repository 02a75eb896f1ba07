import { ZodError } from "zod";
import { JobError } from "#lib/errors.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { limitError } from "#lib/limits/limits.ts";
import { throughRelay } from "../partial/relay.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { createJobFailure, translateEngineError } from "../sandbox/failures/failures.ts";
import { runEngine } from "../sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { probeGuardArguments } from "./command/allow-lists.ts";
import { frameSizeError, reportsOversizedFrames, translateMediaError } from "./command/errors.ts";
import { startFaster } from "./command/library-order.ts";
import { mediaPath } from "./ffmpeg.ts";
import { checkMediaLimits } from "./limits.ts";
import { type MediaInfo, type MediaStream, mediaInfo } from "./media-info.ts";
import { isTruncated } from "./truncated.ts";
import type { VideoStream } from "./video-frame.ts";

export type { MediaInfo, MediaStream, Rational } from "./media-info.ts";
export { toNumber } from "./media-info.ts";

/** Only a malicious file takes longer to inspect. */
const inspectTimeoutMs = 10_000;

/** The time to read all packets of a large file, to measure a duration that no header has. */
const measureTimeoutMs = 60_000;

/** The bit rate, in bit/s, below which a declared duration is wrong: speech codecs need more. */
const minBitRate = 500;

const entries = [
  "format=format_name,duration,start_time,bit_rate:format_tags",
  "stream=index,codec_type,codec_name,codec_tag_string,profile,pix_fmt,width,height," +
    "sample_aspect_ratio,field_order,color_range,color_space,color_transfer,color_primaries," +
    "chroma_location,r_frame_rate,avg_frame_rate,time_base,sample_fmt,sample_rate,channels," +
    "channel_layout,bits_per_raw_sample,bit_rate,duration,start_time,nb_frames,extradata_hash",
  "stream_disposition:stream_tags:stream_side_data_list:chapter=start_time,end_time:chapter_tags",
  "packet=stream_index:packet_side_data_list",
].join(":");

/**
 * Reads the properties of `file`. If its header has no plausible duration, or the file is truncated, the
 * duration is measured by its packets. Throws `JobError`: `corrupt` if nothing can be decoded, `encrypted`,
 * `too_complex` if it exceeds a limit, `unsupported_type`, `timed_out` after 10 s. If the
 * file is partial and its duration must be measured, the whole file is required.
 */
export async function probe(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<MediaInfo> {
  const args = ["-of", "json", "-show_data_hash", "md5", "-show_entries", entries];
  args.push("-read_intervals", "%+#4");
  const { stdout, stderrTail } = await runProbe(file, work, signal, args);
  const info = parseInfo(stdout.toString("utf8"));
  if (reportsOversizedFrames(stderrTail)) throw frameSizeError();
  if (info.encrypted) {
    const message = "The file is encrypted. Files with copy protection are not supported.";
    throw new JobError("encrypted", message);
  }
  if (!info.streams.some(isMedia)) {
    throw new JobError("corrupt", "The file has no video or audio that can be decoded.");
  }
  const size = file.partial?.bytes ?? (await statRegular(file.path)).size;
  const isCut = info.format.startsWith("mov") && !file.partial && (await isTruncated(file.path));
  const isPlausible = info.duration !== undefined && (size * 8) / info.duration >= minBitRate;
  if (!isPlausible) file.partial?.requireWhole("all packets are read to measure the duration");
  const measured =
    isPlausible && !isCut
      ? info
      : await measureDuration(info, file, work, signal).catch((error) => {
          // The declared duration of a huge file is better than none.
          if (isPlausible && error instanceof JobError && error.code === "timed_out") return info;
          throw error;
        });
  checkMediaLimits(measured, work.limits);
  return measured;
}

/**
 * The first video stream of a file that is not cover art. Throws `JobError`: `unsupported_type` if
 * it has none, `corrupt` if its size is unknown.
 */
export function requireVideo(info: MediaInfo): VideoStream {
  const video = info.streams.find((stream) => stream.type === "video" && !stream.attachedPicture);
  if (!video) throw new JobError("unsupported_type", "The file has no video, only audio.");
  const { width, height } = video;
  if (!width || !height) {
    throw new JobError("corrupt", "The video in this file cannot be decoded.");
  }
  return { ...video, width, height };
}

/**
 * Parses what ffprobe wrote when it succeeded. No content of a file makes that something other than its
 * JSON, so that an error here is a fault of the engine, or of this program.
 */
export function parseInfo(text: string): MediaInfo {
  try {
    return mediaInfo.parse(JSON.parse(text));
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof ZodError)) throw cause;
    throw translateEngineError(new EngineError({ engine: "ffprobe", invalidReply: true, cause }));
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
  if (last < first) throw new JobError("corrupt", "The file contains no video or audio.");
  const duration = Math.round((last - first) * 1e6) / 1e6;
  const shorten = (stream: MediaStream) => ({
    ...stream,
    duration: stream.duration && Math.min(stream.duration, duration),
  });
  return { ...info, duration, streams: info.streams.map(shorten) };
}

/**
 * Runs ffprobe on `file` with `args` and the allow-lists. With `onLine` it may read all packets.
 * Throws `JobError` and `EngineError`.
 */
export async function runProbe(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
  args: string[],
  onLine?: (line: string) => void,
) {
  const path = mediaPath(file);
  const guarded = ["-hide_banner", "-v", "error", ...probeGuardArguments(path), ...args, path];
  try {
    return await runEngine({
      engine: "ffprobe",
      ...throughRelay(await startFaster("ffprobe", guarded), work.readOnlyView, [file]),
      signal,
      ...(onLine ? { onLine } : {}),
      variables: { MALLOC_ARENA_MAX: "2" },
      limits: {
        // The source of a partial file may need most of the time.
        timeoutMs: onLine || file.partial ? measureTimeoutMs : inspectTimeoutMs,
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
    const translated = translateMediaError(error, work.limits);
    // The arguments are the same for every file. If ffprobe fails without a reason, the file is
    // damaged.
    const isUnexplained = translated === error && !error.aborted && error.exitCode === 1;
    throw isUnexplained ? createJobFailure("corrupt", error) : translated;
  }
}
