import { withTimeout } from "#lib/deadline.ts";
import { connect } from "./client.ts";

/** The database has not responded in time. The code is that of a database that cannot be reached. */
export class DatabaseTimeoutError extends Error {
  override readonly name = "DatabaseTimeoutError";
  readonly code = "CONNECT_TIMEOUT";
}

/** Resolves when the database has responded. Rejects after `timeoutMs`. */
export async function pingDatabase(timeoutMs: number): Promise<void> {
  await requireAnswer(connect()`select 1`, timeoutMs);
}

/** The result of a query. Rejects with `DatabaseTimeoutError` if the database does not respond in time. */
export function requireAnswer<Result>(query: Promise<Result>, timeoutMs: number): Promise<Result> {
  return withTimeout(query, timeoutMs, () => new DatabaseTimeoutError());
}
