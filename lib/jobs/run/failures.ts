import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { EngineMissingError } from "#lib/engines/sandbox/errors.ts";
import { explainEngineFailure } from "#lib/engines/sandbox/failures.ts";
import { internalMessage, JobError, type JobErrorCode } from "#lib/errors.ts";
import { FileGoneError } from "#lib/storage/index.ts";
import { isUnavailable } from "#lib/unavailable.ts";

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
  | { readonly kind: "retry"; readonly delaySeconds: number }
  /** For something that is away to come back; no try of the job's. */
  | { readonly kind: "wait"; readonly delaySeconds: number };

/** Tries in all, by whose doing the failure is. */
const maxAttempts = { caller: 1, engine: 2, ours: 3 } as const;

/** How long a job waits in all for what is away. */
const patienceSeconds = 24 * 3600;

/**
 * The one place that decides whether a failure is the caller's (no retry), an engine's (one more
 * try) or ours (three tries, with a growing, jittered delay), or nobody's: a full disk, a store or a
 * database that is away, for which the job waits, looking ever less often.
 */
export function judgeFailure(
  error: unknown,
  job: Pick<JobRow, "attempts" | "createdAt">,
  now = Date.now(),
): Verdict {
  const jitter = 0.5 + Math.random() / 2;
  const ageSeconds = (now - job.createdAt.getTime()) / 1000;
  if (isAway(error) && ageSeconds < patienceSeconds) {
    return { kind: "wait", delaySeconds: Math.min(Math.max(ageSeconds / 2, 4), 300) * jitter };
  }
  const failure = toJobError(error);
  // `attempts` counts this one.
  if (job.attempts < maxAttempts[failure.fault]) {
    return { kind: "retry", delaySeconds: 2 ** job.attempts * jitter };
  }
  return { kind: "fail", code: failure.code, sentence: failure.message };
}

/** What is known to be the caller's stays so, whatever caused it: a source that cannot be reached is none of ours. */
function isAway(error: unknown): boolean {
  if (error instanceof JobError && error.fault === "caller") return false;
  return isUnavailable(error) || isDatabaseUnavailable(error);
}

function toJobError(error: unknown): JobError {
  if (error instanceof JobError) return error;
  const explained = explainEngineFailure(error);
  if (explained instanceof JobError) return explained;
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
  return new JobError("internal", internalMessage, { cause: error });
}
