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

/** SQLSTATE classes 08 (connection) and 57P (the server shuts down, starts up or was crashed), and 53300, too many connections. */
const unavailableState = /^(?:08|57P|53300)/;

/** Whether `error`, or what caused it, says that the database is away rather than that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string") {
    if (connectionCodes.has(error.code) || unavailableState.test(error.code)) return true;
  }
  return error.cause !== error && isDatabaseUnavailable(error.cause);
}
