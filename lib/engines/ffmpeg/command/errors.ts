import { JobError } from "#lib/errors.ts";
import { type FileLimits, limitError, widestLimits } from "#lib/limits/limits.ts";
import type { EngineError } from "../../sandbox/failures/errors.ts";
import { createJobFailure } from "../../sandbox/failures/failures.ts";

/** Messages of ffmpeg and ffprobe about damaged content. */
const damagedContent =
  /Invalid data found|moov atom not found|Error while decoding|could not find codec param|Output file is empty|does not contain any stream|matches no streams|End of file|error reading header|Packet corrupt|Failed to read frame size|Error while opening decoder|Corrupt extradata/i;

const unsupportedContent = /not on whitelist|Decoder .*not found|no decoder found|Unknown decoder/i;
/** More channels than layouts exist for, as in recordings of a studio: ffmpeg cannot mix or measure them. */
const unknownLayout = /Rematrix is needed|Unknown channel layouts not supported/;
/** Streams are written to a container of the input's type, which may not support all of them. */
const incompatibleStreams = /Could not write header for output file/;
const outOfMemory =
  /Cannot allocate memory|Failed to allocate|ENOMEM|malloc of size|out of memory/i;

/** The `JobError` for a failed run; `error` itself if it was aborted or for an internal error. */
export function translateMediaError(error: EngineError, { resultBytes }: FileLimits): Error {
  const cause = { cause: error };
  const log = error.stderrTail;
  if (error.aborted) return error;
  if (error.timedOut || error.signal === "SIGXCPU") return timeoutError(error);
  if (error.outOfMemory) return createJobFailure("out_of_memory", error);
  if (error.signal === "SIGXFSZ" || /File too large/i.test(log)) {
    return limitError("resultBytes", resultBytes, error);
  }
  if (/exceeds max_streams/.test(log)) {
    return limitError("streams", widestLimits.streams, error);
  }
  // Checked after the streams, because ffmpeg reports too many streams as a memory error, too.
  if (outOfMemory.test(log)) return createJobFailure("out_of_memory", error);
  if (error.signal) return createJobFailure("engine_crashed", error);
  if (/No space left/i.test(log)) return error;
  if (reportsOversizedFrames(log)) return frameSizeError(error);
  if (unsupportedContent.test(log)) {
    const message = "This file contains a video or audio codec that is not supported.";
    return new JobError("unsupported_type", message, cause);
  }
  if (unknownLayout.test(log)) {
    const message =
      "The audio has more than 8 channels, so that it is not known what each of them is. Send a file with at most 8.";
    return new JobError("unsupported_type", message, cause);
  }
  if (damagedContent.test(log)) return createJobFailure("corrupt", error);
  if (incompatibleStreams.test(log)) {
    const message = "This file contains tracks that its container format does not support.";
    return new JobError("unsupported_type", message, cause);
  }
  return error;
}

/** Whether a run reported damage. It succeeds if less than two thirds of all frames could not be decoded. */
export function reportsDamage(log: string): boolean {
  return damagedContent.test(log);
}

/** The failure of a run that took too long or made no progress. */
export function timeoutError(cause: unknown): JobError {
  return createJobFailure("timed_out", cause);
}

/** Whether a decoder rejected frames for their size. The run may succeed without that stream. */
export function reportsOversizedFrames(log: string): boolean {
  const sizes = log.matchAll(/Picture size (\d+)x(\d+) (?:is invalid|exceeds)/g);
  return sizes.some(
    ([, width, height]) => Number(width) * Number(height) > widestLimits.framePixels,
  );
}

export function frameSizeError(cause?: unknown): JobError {
  return limitError("framePixels", widestLimits.framePixels, cause);
}
