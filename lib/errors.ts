/**
 * The errors of requests and jobs. An error has a public message for the client and a cause that is
 * only logged. Everything else (status, header, job column) derives from the code.
 */

/** Error codes of requests, and the status of each. */
export const requestErrorStatus = {
  invalid_request: 400,
  invalid_parameter: 400,
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_conflict: 422,
  locked: 423,
  usage_limit_reached: 429,
  rate_limited: 429,
  checksum_mismatch: 460,
  internal: 500,
  unavailable: 503,
} as const;

export type RequestErrorCode = keyof typeof requestErrorStatus;

/**
 * Error codes of jobs, and whose fault each one is. `caller`: the job fails at once, because the same
 * input would fail again. `engine` (a crash, too little memory): one retry. `service`: two retries. `store`: the
 * store of the caller, which may be back: five retries.
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
  export_failed: "store",
  internal: "service",
} as const;

export type JobErrorCode = keyof typeof jobErrorFault;

/** The codes of failed jobs, in the order of the table, whose keys Object.keys types as text. */
export const jobErrorCodes = Object.keys(jobErrorFault) as JobErrorCode[];

/** A rejected request. `message` is public; `cause` is only logged. */
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

/** A failed job. `message` is public and stored on the job; `cause` is only logged. */
export class JobError extends Error {
  override readonly name = "JobError";
  readonly code: JobErrorCode;
  readonly #isPermanent: boolean;

  /** `isPermanent`: the same would fail again, for any code. */
  constructor(
    code: JobErrorCode,
    message: string,
    options: { cause?: unknown; isPermanent?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.#isPermanent = options.isPermanent ?? false;
  }

  get fault(): (typeof jobErrorFault)[JobErrorCode] {
    return this.#isPermanent ? "caller" : jobErrorFault[this.code];
  }

  /** The same error, whose message names what it is about: "Operation 2, image/crop: the image …". */
  about(name: string): JobError {
    // Names, such as LibreOffice, keep their first letter.
    const message = this.message.replace(/^(?:The|This|A|An|It) /, (word) => word.toLowerCase());
    return new JobError(this.code, `${name}: ${message}`, { cause: this.cause ?? this });
  }
}

/** The public message of an internal error. The log has the details under the request's or job's id. */
export const internalMessage = "An internal error occurred. Try again.";
