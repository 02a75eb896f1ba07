import { JobError, type JobErrorCode } from "#lib/errors.ts";
import { EngineError } from "./errors.ts";

/** What a client reads of each class of failure, where nothing more can be said of the file. */
export const failureSentences = {
  corrupt: "The file is damaged or incomplete.",
  timed_out: "Processing took too long and was stopped.",
  out_of_memory: "This file needs more memory to process than a job may use.",
  engine_crashed: "The file made an engine crash.",
  too_large: "The result would be larger than is allowed.",
} as const satisfies Partial<Record<JobErrorCode, string>>;

/** The failure of a job with the sentence of its class. `cause` is for the log. */
export function failAs(code: keyof typeof failureSentences, cause: unknown): JobError {
  return new JobError(code, failureSentences[code], { cause });
}

const outOfMemory = /heap out of memory|out of memory|Cannot allocate memory|bad_alloc/i;

/**
 * The job's view of an engine process that did not answer. Where the caller stopped it, and for
 * whatever is no `EngineError`, the error itself.
 */
export function explainEngineFailure(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.aborted) return error;
  if (error.timedOut || error.signal === "SIGXCPU") return failAs("timed_out", error);
  if (error.signal === "SIGXFSZ") return failAs("too_large", error);
  if (error.outOfMemory || outOfMemory.test(error.stderrTail))
    return failAs("out_of_memory", error);
  return failAs("engine_crashed", error);
}
