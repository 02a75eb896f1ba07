/**
 * The one form of failure. An error has a public sentence, which a client may read, and a logged
 * cause, which it may not. Everything else (status, header, job column) derives from the code.
 */

/** Error codes of a refused request and the status each one answers with. */
export const requestErrorStatus = {
  invalid_request: 400,
  invalid_parameter: 400,
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_conflict: 422,
  usage_limit_reached: 429,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type RequestErrorCode = keyof typeof requestErrorStatus;

/**
 * Why a job failed, and whose doing it was: `caller` fails at once, for the same input would fail
 * again; `ours` is tried again; `engine` (a crash or too little memory) gets one more try.
 */
export const jobErrorFault = {
  address_refused: "caller",
  fetch_failed: "caller",
  fetch_timeout: "caller",
  too_large: "caller",
  empty: "caller",
  unsupported_type: "caller",
  corrupt: "caller",
  encrypted: "caller",
  too_complex: "caller",
  usage_limit_reached: "caller",
  timed_out: "caller",
  engine_crashed: "engine",
  out_of_memory: "engine",
  set_aside: "caller",
  internal: "ours",
} as const;

export type JobErrorCode = keyof typeof jobErrorFault;

/** A request that is refused. `message` is the public sentence; `cause` goes to the log. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: RequestErrorCode;
  readonly headers: Record<string, string>;

  constructor(
    code: RequestErrorCode,
    message: string,
    options: { cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return requestErrorStatus[this.code];
  }
}

/** A job that fails. `message` is the public sentence kept on the job; `cause` goes to the log. */
export class JobError extends Error {
  override readonly name = "JobError";
  readonly code: JobErrorCode;

  constructor(code: JobErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }

  get fault(): (typeof jobErrorFault)[JobErrorCode] {
    return jobErrorFault[this.code];
  }
}

/** What a client reads when the fault is ours; the detail is in the log under the request's id. */
export const internalMessage = "Something went wrong on our side; please try again.";
