import { db } from "#lib/db/client.ts";
import { readUsage } from "#lib/db/queries/usage/usage.ts";
import { plans } from "#lib/plans.ts";
import { periodOf } from "#lib/quotas/period.ts";
import type { KeyedContext } from "./http/route.ts";

const gigabyte = 10 ** 9;

/** `GET /v1/usage`: what the account has used of the current month. 1 GB is 10⁹ bytes, exact to the byte. */
export async function answerUsage({ account }: KeyedContext): Promise<Response> {
  const { monthlyBytes } = plans[account.plan];
  const { usedBytes, totalJobs } = await readUsage(db(), account.id, periodOf(new Date()));
  const remaining = monthlyBytes === null ? null : Math.max(0, monthlyBytes - usedBytes);
  return Response.json({
    plan: account.plan,
    gb_used: usedBytes / gigabyte,
    gb_included: monthlyBytes === null ? null : monthlyBytes / gigabyte,
    gb_remaining: remaining === null ? null : remaining / gigabyte,
    total_jobs: totalJobs,
  });
}
