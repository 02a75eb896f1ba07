import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { EngineMissingError } from "#lib/engines/sandbox/failures/errors.ts";
import { translateEngineError } from "#lib/engines/sandbox/failures/failures.ts";
import { internalMessage, JobError, type JobErrorCode } from "#lib/errors.ts";
import { FileGoneError } from "#lib/storage/index.ts";
import { isUnavailable } from "#lib/unavailable.ts";

/** Why a running job was stopped from outside. */
export type StopReason = "cancelled" | "timed_out" | "stopping" | "lost";

/** A running job was stopped from outside. The error that this caused in the work is the cause. */
export class JobStoppedError extends Error {
  override readonly name = "JobStoppedError";
  readonly reason: StopReason;

  constructor(reason: StopReason, options: { cause?: unknown }) {
    super(`the job was stopped: ${reason}`, options);
    this.reason = reason;
  }
}

/** What happens to a job after a failure. */
export type RetryDecision =
  | { readonly kind: "fail"; readonly code: JobErrorCode; readonly message: string }
  | { readonly kind: "retry"; readonly delaySeconds: number }
  /** The job waits until an unavailable service is back. The attempt is not counted. */
  | { readonly kind: "wait"; readonly delaySeconds: number };

/** Attempts in total, by fault. */
const maxAttempts = { caller: 1, engine: 2, service: 3, store: 6 } as const;

/** How long a job waits in total for something that is unavailable. */
export const maxWaitSeconds = 24 * 3600;

/**
 * Decides what happens after a failure. The caller's fault: no retry. An engine's: one retry. The
 * service's: two retries with a growing, jittered delay; a store's: five, over about a minute. A full disk, an unavailable storage or
 * database: the job waits and no attempt is counted.
 */
export function classifyFailure(
  error: unknown,
  job: Pick<JobRow, "attempts" | "createdAt">,
  now = Date.now(),
): RetryDecision {
  const jitter = 0.5 + Math.random() / 2;
  const ageSeconds = (now - job.createdAt.getTime()) / 1000;
  if (isServiceUnavailable(error) && ageSeconds < maxWaitSeconds) {
    return { kind: "wait", delaySeconds: Math.min(Math.max(ageSeconds / 2, 4), 300) * jitter };
  }
  const failure = toJobError(error);
  // `attempts` includes the current one.
  if (job.attempts < maxAttempts[failure.fault]) {
    return { kind: "retry", delaySeconds: 2 ** job.attempts * jitter };
  }
  return { kind: "fail", code: failure.code, message: failure.message };
}

/** The caller's faults do not count, such as a source URL that cannot be reached. */
function isServiceUnavailable(error: unknown): boolean {
  if (error instanceof JobError && error.fault === "caller") return false;
  return isUnavailable(error) || isDatabaseUnavailable(error);
}

function toJobError(error: unknown): JobError {
  if (error instanceof JobError) return error;
  const translated = translateEngineError(error);
  if (translated instanceof JobError) return translated;
  if (error instanceof EngineMissingError) {
    const message = `The operation requires ${error.engine}, which is not installed on this server.`;
    return new JobError("internal", message, { cause: error });
  }
  if (error instanceof FileGoneError) {
    return new JobError("internal", "The input file is no longer in storage.", { cause: error });
  }
  return new JobError("internal", internalMessage, { cause: error });
}
