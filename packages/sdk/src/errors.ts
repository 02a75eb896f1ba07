import type { JobData } from "./types.ts";

/** Every error that the client throws, but for those of an `AbortSignal`. */
export class MediamillError extends Error {
  override name = "MediamillError";
}

/** The service could not be reached, or the connection was lost. */
export class ConnectionError extends MediamillError {
  override name = "ConnectionError";
}

/** It took longer than `timeout`. A job goes on; read it again by its id. */
export class TimeoutError extends MediamillError {
  override name = "TimeoutError";
  readonly jobId: string | undefined;
  constructor(message: string, jobId?: string) {
    super(message);
    this.jobId = jobId;
  }
}

/** The service refused a request. */
export class ApiError extends MediamillError {
  override name = "ApiError";
  readonly status: number;
  /** The code of the error, such as `invalid_parameter`; see the documentation of errors. */
  readonly code: string;
  /** The id of the request: quote it when you ask for help. */
  readonly requestId: string | undefined;
  readonly headers: Headers;
  constructor(message: string, { status, headers }: { status: number; headers: Headers }) {
    super(message);
    this.status = status;
    this.code = headers.get("x-error-code") ?? "unknown";
    this.requestId = headers.get("x-request-id") ?? undefined;
    this.headers = headers;
  }
}

/** The request itself is at fault: status 400, 413, 415 or 422. */
export class InvalidRequestError extends ApiError {
  override name = "InvalidRequestError";
}

/** The API key is missing or not valid: status 401. */
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}

/** The API key may not do this: status 403. */
export class PermissionError extends ApiError {
  override name = "PermissionError";
}

/** The thing does not exist, or no longer: status 404 or 410. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** The job is in a state that does not allow it: status 409. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** There were too many requests, or the plan's usage limit is reached: status 429. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}

/** The service failed: status 5xx. */
export class ServerError extends ApiError {
  override name = "ServerError";
}

const classes: Record<number, typeof ApiError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
};

/** The error for a response that is not a success. */
export async function apiError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => "");
  let message = `The service responded with status ${status}.`;
  if (status === 413 && !headers.has("x-error-code")) message = hostLimitMessage(headers);
  try {
    message = (JSON.parse(text) as { error?: string }).error ?? message;
  } catch {
    // Not from the service itself, such as a proxy's page.
  }
  return new (classes[status] ?? (status >= 500 ? ServerError : ApiError))(message, {
    status,
    headers,
  });
}

/** The host in front of the service refused the request. Vercel names its limit only by its code. */
function hostLimitMessage(headers: Headers): string {
  const limit = headers.has("x-vercel-error")
    ? "accepts at most 4.5 MB per request"
    : "does not accept a request so large";
  return `This host ${limit}. Upload the file first, or send its URL. If it was an upload, the storage of this service takes none directly: send a URL.`;
}

/** A job that was waited for failed, or was cancelled. */
export class JobFailedError extends MediamillError {
  override name = "JobFailedError";
  readonly job: JobData;
  /** The job's `error_code`; `cancelled` if it was cancelled. */
  readonly code: string;
  constructor(job: JobData) {
    super(job.error ?? `The job was ${job.status}.`);
    this.job = job;
    this.code = job.error_code ?? job.status;
  }
}
