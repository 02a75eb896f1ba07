import { JobError } from "#lib/errors.ts";
import { EngineError } from "./errors.ts";

const outOfMemory = /heap out of memory|out of memory|Cannot allocate memory|bad_alloc/i;

/**
 * The job's view of an engine process that did not answer. Where the caller stopped it, and for
 * whatever is no `EngineError`, the error itself.
 */
export function explainEngineFailure(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.aborted) return error;
  const cause = { cause: error };
  if (error.timedOut || error.signal === "SIGXCPU") {
    return new JobError("timed_out", "Processing took too long and was stopped.", cause);
  }
  if (error.signal === "SIGXFSZ") {
    return new JobError("too_large", "The result would be larger than is allowed.", cause);
  }
  // Nobody but the kernel, short of memory, kills an engine that we did not stop.
  if (error.signal === "SIGKILL" || outOfMemory.test(error.stderrTail)) {
    const sentence = "This file needs more memory to process than a job may use.";
    return new JobError("out_of_memory", sentence, cause);
  }
  return new JobError("engine_crashed", "The file made an engine crash.", cause);
}
