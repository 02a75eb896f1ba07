import { JobError } from "#lib/errors.ts";
import { type FileLimits, limitError, widestLimits } from "#lib/limits/limits.ts";
import type { EngineError } from "../sandbox/errors.ts";
import { failAs } from "../sandbox/failures.ts";

/** What ffmpeg and ffprobe say when the content, and not our command, is at fault. */
const damage =
  /Invalid data found|moov atom not found|Error while decoding|could not find codec param|Output file is empty|does not contain any stream|matches no streams|End of file|error reading header|Packet corrupt|Failed to read frame size|Error while opening decoder|Corrupt extradata/i;

const refusedContent = /not on whitelist|Decoder .*not found|no decoder found|Unknown decoder/i;
/** Tracks are written into the kind of file that they were in; not all that is read fits in again. */
const refusedTracks = /Could not write header for output file/;
const exhausted = /Cannot allocate memory|Failed to allocate|ENOMEM|malloc of size|out of memory/i;

/** The public form of a failed run; `EngineError` itself where it was stopped or the fault is ours. */
export function explainMediaFailure(error: EngineError, { resultBytes }: FileLimits): Error {
  const cause = { cause: error };
  const log = error.stderrTail;
  if (error.aborted) return error;
  if (error.timedOut || error.signal === "SIGXCPU") return stallError(error);
  if (error.outOfMemory) return failAs("out_of_memory", error);
  if (error.signal === "SIGXFSZ" || /File too large/i.test(log)) {
    return limitError("resultBytes", resultBytes, error);
  }
  if (/exceeds max_streams/.test(log)) {
    return limitError("streams", widestLimits.streams, error);
  }
  // After the streams: ffmpeg calls too many of them a want of memory as well.
  if (exhausted.test(log)) return failAs("out_of_memory", error);
  if (error.signal) return failAs("engine_crashed", error);
  if (/No space left/i.test(log)) return error;
  if (tellsOfHugeFrames(log)) return hugeFramesError(error);
  if (refusedContent.test(log)) {
    const sentence = "This file holds a kind of video or sound that is not supported.";
    return new JobError("unsupported_type", sentence, cause);
  }
  if (damage.test(log)) return failAs("corrupt", error);
  if (refusedTracks.test(log)) {
    const sentence = "This file holds tracks that cannot be written together again.";
    return new JobError("unsupported_type", sentence, cause);
  }
  return error;
}

/** For a run that ended because it was too slow or stood still. */
export function stallError(cause: unknown): JobError {
  return failAs("timed_out", cause);
}

/** Whether a decoder refused frames for their size: a run may go on without that stream, and succeed. */
export function tellsOfHugeFrames(log: string): boolean {
  const sizes = log.matchAll(/Picture size (\d+)x(\d+) (?:is invalid|exceeds)/g);
  return sizes.some(
    ([, width, height]) => Number(width) * Number(height) > widestLimits.framePixels,
  );
}

export function hugeFramesError(cause?: unknown): JobError {
  return limitError("framePixels", widestLimits.framePixels, cause);
}
