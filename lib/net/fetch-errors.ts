import { JobError } from "#lib/errors.ts";

/** A server that responded with another status than that of success. */
export class ResponseStatusError extends JobError {
  readonly status: number;

  constructor(status: number, message = `The server responded with status ${status}.`) {
    super("fetch_failed", message);
    this.status = status;
  }
}

/** A server that could not be reached, or whose connection was lost. */
class ConnectionError extends JobError {}

/**
 * Whether the same request may succeed a few seconds later: after a lost connection, a timeout, and what a server that
 * is overloaded or restarts responds with.
 */
export function maySucceedLater(error: unknown): boolean {
  if (error instanceof ResponseStatusError) {
    return error.status === 429 || (error.status >= 500 && error.status !== 501);
  }
  const isTimeout = error instanceof JobError && error.code === "fetch_timeout";
  return isTimeout || error instanceof ConnectionError;
}

/** The error for every exceeded time limit; `cause` is logged. */
export function fetchTimeoutError(cause: unknown): JobError {
  return new JobError("fetch_timeout", "The server took too long to respond.", { cause });
}

function fetchFailedError(message: string, cause: unknown): JobError {
  return new JobError("fetch_failed", message, { cause });
}

function connectionError(message: string, cause: unknown): JobError {
  return new ConnectionError("fetch_failed", message, { cause });
}

/** Converts a request's error to a `JobError` whose message contains no URL or IP address. */
export function toFetchError(error: unknown): JobError {
  if (error instanceof JobError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return fetchTimeoutError(error);
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") {
    return fetchFailedError("The response of the server has too many headers.", error);
  }
  if (/CERT|TLS|SSL|SIGNATURE|UNABLE_TO/.test(code)) {
    return fetchFailedError("The server's TLS certificate or encryption is not valid.", error);
  }
  if (code.startsWith("HPE_")) {
    return fetchFailedError("The response of the server is not valid HTTP.", error);
  }
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/.test(code)) {
    return connectionError("The server cannot be reached.", error);
  }
  return connectionError("The server closed the connection before the end of the file.", error);
}
