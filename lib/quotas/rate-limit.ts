import { db } from "#lib/db/client.ts";
import { countRequest, type RateWindow, readRateWindow } from "#lib/db/queries/rate-windows.ts";
import { type PlanName, plans } from "./plans.ts";

/** Where an account stands in its minute; `limit` null is an unlimited plan. */
export interface RateState {
  readonly limit: number | null;
  readonly remaining: number;
  /** Whole seconds until the minute ends. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** Looks at the account's minute; `counts` also counts this request in it. */
export async function checkRate(
  account: { id: string; plan: PlanName },
  counts: boolean,
): Promise<RateState> {
  const limit = plans[account.plan].requestsPerMinute;
  if (limit === null) return { limit, remaining: 0, resetSeconds: 0, exceeded: false };
  const counted = counts ? await countRequest(db(), account.id, limit) : undefined;
  const window = counted ?? (await readRateWindow(db(), account.id));
  return toState(window, limit, counts && !counted);
}

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
