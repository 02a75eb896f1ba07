import { connect } from "./client.ts";

/** The database has not responded in time. The code is that of a database that cannot be reached. */
export class DatabaseTimeoutError extends Error {
  override readonly name = "DatabaseSilentError";
  readonly code = "CONNECT_TIMEOUT";
}

/** Resolves when the database has responded. Rejects after `timeoutMs`. */
export async function pingDatabase(timeoutMs: number): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DatabaseTimeoutError()), timeoutMs);
  try {
    await Promise.race([connect()`select 1`, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
