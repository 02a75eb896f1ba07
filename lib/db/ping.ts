import { connect } from "./client.ts";

/** The database has not answered in time: to those who wait, the same as one that cannot be reached. */
export class DatabaseSilentError extends Error {
  override readonly name = "DatabaseSilentError";
  readonly code = "CONNECT_TIMEOUT";
}

/** Resolves once the database has answered; rejects where it has not after `timeoutMs`. */
export async function pingDatabase(timeoutMs: number): Promise<void> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DatabaseSilentError()), timeoutMs);
  try {
    await Promise.race([connect()`select 1`, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
