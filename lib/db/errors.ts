/** Codes of Node's sockets and of postgres.js for a server that cannot be reached, or whose name cannot be resolved. */
const connectionCodes = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
]);

/**
 * SQLSTATE classes 08 (connection), 53 (out of disk, memory or connections) and 57P (the server shuts
 * down, starts or has crashed), and 25006 (the server is read-only, as during a failover).
 */
const unavailableState = /^(?:08|53|57P|25006)/;

/** Whether `error`, or its cause, says that the database is unavailable, and not that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string") {
    if (connectionCodes.has(error.code) || unavailableState.test(error.code)) return true;
    if (error.code === "ENOENT" && isOfConnect(error)) return true;
  }
  return error.cause !== error && isDatabaseUnavailable(error.cause);
}

/** A server that is not running has no UNIX socket. */
const isOfConnect = (error: Error) => "syscall" in error && error.syscall === "connect";

/** `lock_not_available` and `deadlock_detected`: another transaction has what a statement needs. */
const lockCodes = ["55P03", "40P01"];

/** Whether `error`, or its cause, says that a statement gave up its wait for a lock. It can be tried again. */
export function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && lockCodes.includes(String(error.code))) return true;
  return error.cause !== error && isLockTimeout(error.cause);
}
