import { db } from "#lib/db/client.ts";
import {
  countInRateWindow,
  type RateWindow,
  readRateWindow,
} from "#lib/db/queries/usage/rate-windows.ts";
import { RequestError } from "#lib/errors.ts";
import { type PlanName, plans } from "#lib/plans.ts";

/** The job-creating requests of an account in its current minute, and those with a rejected body. */
export interface RateState {
  /** The limit of requests; null on an unlimited plan. */
  readonly limit: number | null;
  readonly remaining: number;
  /** When the minute ends, in milliseconds since 1970; in the past if no minute is running. */
  readonly resetAt: number;
  readonly exceeded: boolean;
}

/** Reads the account's state without counting a request. */
export async function readRateState(account: RatedAccount): Promise<RateState> {
  const limit = plans[account.plan].requestsPerMinute;
  if (limit === null) return unlimited;
  const window = await readRateWindow(db(), account.id);
  return toState(window, limit, window.count >= limit);
}

/** Counts a request whose body was rejected, and returns the account's state after it. */
export async function countRejectedRequest(account: RatedAccount): Promise<RateState> {
  const limit = plans[account.plan].requestsPerMinute;
  if (limit === null) return unlimited;
  return toState(await countInRateWindow(db(), account.id, limit), limit, false);
}

/** The state after a counted request. `window`: the account's minute; undefined on an unlimited plan. */
export function rateAfter(account: RatedAccount, window: RateWindow | undefined): RateState {
  const limit = plans[account.plan].requestsPerMinute;
  return limit === null || !window ? unlimited : toState(window, limit, false);
}

/** Throws `rate_limited` if the limit of the minute is reached. */
export function requireRateBelowLimit(state: RateState): void {
  if (state.exceeded) throw rateLimited(state);
}

/** The error of a request beyond the limit of the minute. */
export function rateLimited(state: RateState): RequestError {
  const seconds = Math.max(1, secondsUntilReset(state));
  const message = `Your plan allows ${state.limit} job-creating requests per minute, rejected ones included. Try again in ${seconds} seconds.`;
  return new RequestError("rate_limited", message, {
    headers: { ...rateHeaders({ ...state, exceeded: true }), "Retry-After": String(seconds) },
  });
}

interface RatedAccount {
  readonly id: string;
  readonly plan: PlanName;
}

const unlimited: RateState = { limit: null, remaining: 0, resetAt: 0, exceeded: false };

function toState(window: RateWindow, limit: number, exceeded: boolean): RateState {
  return {
    limit,
    remaining: Math.max(0, limit - window.count),
    resetAt: Date.now() + window.remainingSeconds * 1000,
    exceeded,
  };
}

function secondsUntilReset({ resetAt }: RateState): number {
  return Math.max(0, Math.ceil((resetAt - Date.now()) / 1000));
}

/** The `RateLimit-*` headers; none for an unlimited plan. */
export function rateHeaders(state: RateState): Record<string, string> {
  const { limit, remaining, exceeded } = state;
  if (limit === null) return {};
  const seconds = secondsUntilReset(state);
  return {
    "RateLimit-Limit": String(limit),
    // A request that waited for its job may respond after the minute has ended.
    "RateLimit-Remaining": String(seconds > 0 || exceeded ? remaining : limit),
    "RateLimit-Reset": String(Math.max(exceeded ? 1 : 0, seconds)),
  };
}
