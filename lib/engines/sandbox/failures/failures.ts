import { JobError, type JobErrorCode } from "#lib/errors.ts";
import { EngineError } from "./errors.ts";

/** The public message of each class of failure, used if nothing more specific is known. */
export const failureMessages = {
  corrupt: "The file is damaged or incomplete.",
  timed_out: "Processing took too long and was stopped.",
  out_of_memory: "This file needs more memory to process than a job may use.",
  engine_crashed: "The file made an engine crash.",
  too_large: "The result would be larger than allowed.",
} as const satisfies Partial<Record<JobErrorCode, string>>;

/** The failure of a job with the message of its class. `cause` is for the log. */
export function createJobFailure(code: keyof typeof failureMessages, cause: unknown): JobError {
  return new JobError(code, failureMessages[code], { cause });
}

const outOfMemory = /heap out of memory|out of memory|Cannot allocate memory|bad_alloc/i;

/**
 * The `JobError` for a failed engine process. Returns `error` itself if the caller aborted the
 * process, or if it is not an `EngineError`.
 */
export function translateEngineError(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.aborted) return error;
  if (error.timedOut || error.signal === "SIGXCPU") return createJobFailure("timed_out", error);
  if (error.signal === "SIGXFSZ") return createJobFailure("too_large", error);
  if (error.outOfMemory || outOfMemory.test(error.stderrTail))
    return createJobFailure("out_of_memory", error);
  return createJobFailure("engine_crashed", error);
}
