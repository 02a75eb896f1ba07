import type { Account } from "#lib/db/queries/accounts/accounts.ts";

/** Who a request is from, and how long it may take. */
export interface Caller {
  readonly account: Account;
  readonly apiKeyId: string;
  readonly requestId: string;
  /** When the time of the request is over, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called with the id of each job of the request. */
  readonly onJob: (id: string) => void;
  /** The id of the staged upload with the files of the form. */
  readonly staged: string;
  /**
   * The id of a job by its place in the plan, for a request that another process may continue: it finds the jobs that
   * were created before.
   */
  readonly jobIdAt?: ((place: string) => string) | undefined;
}

/** The process stops, and another one continues the request. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}
