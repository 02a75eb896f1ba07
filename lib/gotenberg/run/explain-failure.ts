import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { RequestError } from "#lib/errors.ts";
import { isUnavailable } from "#lib/unavailable.ts";
import {
  bodyTooLarge,
  GotenbergError,
  invalidForm,
  invalidMetadata,
  statusError,
  timeLimitReached,
  unsupportedSplit,
} from "../base/errors.ts";
import type { Plan } from "../plan/plan.ts";
import { nameFields } from "./name-fields.ts";
import { FailedJobError } from "./run-job.ts";

/** The error that the client gets. `filename` is the name of the file that was processed. */
export function explainFailure(
  error: unknown,
  plan: Pick<Plan, "explain">,
  filename: string | undefined,
): unknown {
  if (!(error instanceof FailedJobError)) return error;
  const { code, message, operation, fields } = error;
  const formMessage = nameFields(message, fields);
  // Also of a page, an element or an expression that was not ready in time.
  if (code === "timed_out" || code === "fetch_timeout") {
    return new GotenbergError(timeLimitReached.status, timeLimitReached.message, { cause: error });
  }
  const explained = plan.explain?.({ code, message, formMessage, operation, filename });
  return explained ?? explainOther(error, formMessage);
}

const splitting: ReadonlySet<string> = new Set(["document/split-pdf", "document/extract-pages"]);

/** Errors of the service by their codes. The messages of jobs are public. */
function explainOther(error: FailedJobError, formMessage: string): GotenbergError {
  const { code, message, operation } = error;
  // What names a field is about the form.
  const text = formMessage === message ? message : invalidForm(formMessage).message;
  const fail = (status: number) => new GotenbergError(status, text, { cause: error });
  if (code === "address_refused") return statusError(403, error);
  if (code === "usage_limit_reached") return fail(429);
  if (code === "too_large") return bodyTooLarge;
  if (code === "invalid_parameter" && splitting.has(operation)) return unsupportedSplit;
  if (code === "invalid_parameter" && operation === "document/set-metadata") {
    return invalidMetadata;
  }
  if (["internal", "engine_crashed", "out_of_memory", "set_aside"].includes(code)) {
    return statusError(500, error);
  }
  return fail(400);
}

/** Any error as Gotenberg sends it. */
export function toGotenbergError(error: unknown): GotenbergError {
  if (error instanceof GotenbergError) return error;
  if (error instanceof RequestError) {
    if (error.code === "too_large") return bodyTooLarge;
    if (error.code === "unauthorized") return statusError(401, error);
    if (error.code === "internal") return statusError(500, error);
    const { status, message, headers } = error;
    return new GotenbergError(status, message, { cause: error, headers });
  }
  if (isDatabaseUnavailable(error) || isUnavailable(error)) {
    const { status, message } = statusError(503);
    return new GotenbergError(status, message, { cause: error, headers: { "Retry-After": "5" } });
  }
  return statusError(500, error);
}
