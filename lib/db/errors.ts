/** Codes of node's sockets and of postgres.js for a server that cannot be reached. */
const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
]);

/**
 * SQLSTATE classes 08 (connection), 53 (out of disk, memory or connections) and 57P (the server shuts
 * down, starts up or was crashed), and 25006: the server takes no writes, as while it is taken over.
 */
const unavailableState = /^(?:08|53|57P|25006)/;

/** Whether `error`, or what caused it, says that the database is away rather than that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string") {
    if (connectionCodes.has(error.code) || unavailableState.test(error.code)) return true;
  }
  return error.cause !== error && isDatabaseUnavailable(error.cause);
}
