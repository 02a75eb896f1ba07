import { db, type Queryable } from "#lib/db/client.ts";
import {
  countRequest,
  type RateWindow,
  readRateWindow,
} from "#lib/db/queries/usage/rate-windows.ts";
import { RequestError } from "#lib/errors.ts";
import { type PlanName, plans } from "#lib/plans.ts";

/** Where an account stands in its minute; `limit` null is an unlimited plan. */
export interface RateState {
  readonly limit: number | null;
  readonly remaining: number;
  /** Whole seconds until the minute ends. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** Where the account stands; nothing is counted. */
export async function readRate(account: RatedAccount): Promise<RateState> {
  const limit = plans[account.plan].requestsPerMinute;
  if (limit === null) return unlimited;
  const window = await readRateWindow(db(), account.id);
  return toState(window, limit, window.count >= limit);
}

/**
 * Counts a request in the transaction in which it creates work. Throws `rate_limited` where the
 * minute is full.
 */
export async function countRequestOf(tx: Queryable, account: RatedAccount): Promise<void> {
  const limit = plans[account.plan].requestsPerMinute;
  if (limit === null || (await countRequest(tx, account.id, limit))) return;
  requireRate(toState(await readRateWindow(tx, account.id), limit, true));
}

/** Throws `rate_limited` where the minute is full. */
export function requireRate({ exceeded, limit, resetSeconds }: RateState): void {
  if (!exceeded) return;
  const seconds = Math.max(1, resetSeconds);
  const sentence = `Your plan takes ${limit} requests a minute that create work; try again in ${seconds} seconds.`;
  throw new RequestError("rate_limited", sentence, { headers: { "Retry-After": String(seconds) } });
}

interface RatedAccount {
  readonly id: string;
  readonly plan: PlanName;
}

const unlimited: RateState = { limit: null, remaining: 0, resetSeconds: 0, exceeded: false };

function toState(window: RateWindow, limit: number, exceeded: boolean): RateState {
  return {
    limit,
    remaining: Math.max(0, limit - window.count),
    resetSeconds: Math.max(exceeded ? 1 : 0, Math.ceil(window.remainingSeconds)),
    exceeded,
  };
}

/** The `RateLimit-*` headers; none for an unlimited plan. */
export function rateHeaders(state: RateState): Record<string, string> {
  if (state.limit === null) return {};
  return {
    "RateLimit-Limit": String(state.limit),
    "RateLimit-Remaining": String(state.remaining),
    "RateLimit-Reset": String(state.resetSeconds),
  };
}
