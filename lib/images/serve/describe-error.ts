import { CallTimeoutError } from "#lib/calls/call-runner.ts";
import { MessageTooLongError } from "#lib/calls/messages.ts";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { JobError, type JobErrorCode, RequestError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { secondsUntilPeriodEnds } from "#lib/quotas/period.ts";
import { isUnavailable } from "#lib/unavailable.ts";
import { PictureError } from "../plan/errors.ts";

/** The statuses of failures, as imgproxy has them where it has the same ones. */
const statusOf: Readonly<Partial<Record<JobErrorCode, number>>> = {
  address_refused: 404,
  fetch_failed: 404,
  fetch_timeout: 504,
  too_large: 422,
  empty: 422,
  unsupported_type: 422,
  corrupt: 422,
  encrypted: 422,
  too_complex: 422,
  out_of_memory: 422,
  usage_limit_reached: 429,
  timed_out: 503,
};

const unavailable = {
  status: 503,
  message: "The service is briefly unavailable. Try again.",
  headers: { "Retry-After": "5" },
};

/** The response to a request that failed. An error that is not the caller's is logged. */
export function describeError(error: unknown): {
  status: number;
  message: string;
  headers?: Readonly<Record<string, string>>;
} {
  if (error instanceof PictureError) return error;
  if (error instanceof RequestError) return error;
  if (error instanceof MessageTooLongError) return { status: 404, message: "The URL is too long." };
  if (error instanceof CallTimeoutError) {
    return { status: 504, message: "The picture was not made in time." };
  }
  const status = error instanceof JobError ? statusOf[error.code] : undefined;
  if (!(error instanceof JobError) || status === undefined) {
    log.error({ err: error }, "picture failed");
    if (isDatabaseUnavailable(error) || isUnavailable(error)) return unavailable;
    return { status: 500, message: "An internal error occurred." };
  }
  const { code, message } = error;
  if (code !== "usage_limit_reached") return { status, message };
  const retryAfter = String(secondsUntilPeriodEnds(new Date()));
  return { status, message, headers: { "Retry-After": retryAfter } };
}
