import { db, type Queryable } from "#lib/db/client.ts";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { requireAnswer } from "#lib/db/ping.ts";
import { findNewAccountPlan } from "#lib/db/queries/operator/service-settings.ts";
import { env } from "#lib/env.ts";
import { isLocalUrl } from "#lib/net/local-url.ts";
import type { OfferedPlanName } from "#lib/plans.ts";

/** How long a page waits for the database. */
const answerMs = 3000;

/**
 * The plan of accounts that are created without one: what an operator chose in the console, else `NEW_ACCOUNT_PLAN`,
 * else Enterprise on one's own machine with closed sign-up, where no one has to be limited, and Free elsewhere.
 */
export async function readNewAccountPlan(tx: Queryable = db()): Promise<OfferedPlanName> {
  return (await findNewAccountPlan(tx)) ?? defaultNewAccountPlan(env);
}

/** Does the same for pages, which also show something without the database. */
export async function readNewAccountPlanOrDefault(): Promise<OfferedPlanName> {
  try {
    return await requireAnswer(readNewAccountPlan(), answerMs);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return defaultNewAccountPlan(env);
  }
}

/** The plan of new accounts as long as no operator has chosen one. */
export function defaultNewAccountPlan(
  settings: Pick<typeof env, "NEW_ACCOUNT_PLAN" | "SIGN_UP" | "APP_URL">,
): OfferedPlanName {
  const { NEW_ACCOUNT_PLAN, SIGN_UP, APP_URL } = settings;
  if (NEW_ACCOUNT_PLAN) return NEW_ACCOUNT_PLAN;
  return SIGN_UP === "closed" && isLocalUrl(APP_URL) ? "enterprise" : "free";
}
