import { EngineError, EngineMissingError } from "#lib/engines/errors.ts";
import { internalSentence, JobError, type JobErrorCode } from "#lib/errors.ts";
import { FileGoneError } from "#lib/storage/index.ts";

/** Why the work on a job was stopped from outside. */
export type StopReason = "cancelled" | "timed_out" | "stopping" | "lost";

/** The work on a job was stopped from outside; whatever it threw because of that is the cause. */
export class JobStoppedError extends Error {
  override readonly name = "JobStoppedError";
  readonly reason: StopReason;

  constructor(reason: StopReason, options: { cause?: unknown }) {
    super(`the work was stopped: ${reason}`, options);
    this.reason = reason;
  }
}

/** What becomes of a job whose work failed. */
export type Verdict =
  | { readonly kind: "fail"; readonly code: JobErrorCode; readonly sentence: string }
  | { readonly kind: "retry"; readonly delaySeconds: number };

/** Tries in all, by whose doing the failure is. */
const maxAttempts = { caller: 1, engine: 2, ours: 3 } as const;

/**
 * The one place that decides whether a failure is the caller's (no retry), an engine's (one more
 * try) or ours (three tries, with a growing, jittered delay). `attempts` counts this one.
 */
export function judgeFailure(error: unknown, attempts: number): Verdict {
  const failure = toJobError(error);
  if (attempts < maxAttempts[failure.blame]) {
    const delaySeconds = 2 ** attempts * (0.5 + Math.random() / 2);
    return { kind: "retry", delaySeconds };
  }
  return { kind: "fail", code: failure.code, sentence: failure.message };
}

function toJobError(error: unknown): JobError {
  if (error instanceof JobError) return error;
  if (error instanceof EngineError && error.timedOut) {
    return new JobError("timed_out", "The file took too long to process.", { cause: error });
  }
  if (error instanceof EngineError) {
    return new JobError(
      "engine_crashed",
      "The file could not be processed: the engine crashed on it.",
      {
        cause: error,
      },
    );
  }
  if (error instanceof EngineMissingError) {
    return new JobError(
      "internal",
      `This installation lacks ${error.engine}, which the operation needs.`,
      {
        cause: error,
      },
    );
  }
  if (error instanceof FileGoneError) {
    return new JobError("internal", "The input is no longer stored.", { cause: error });
  }
  return new JobError("internal", internalSentence, { cause: error });
}
