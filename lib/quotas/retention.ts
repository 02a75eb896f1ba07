import { env } from "#lib/env.ts";
import { type PlanName, plans } from "#lib/plans.ts";

/** How many hours an account's inputs and outputs are kept: by its plan, unless the operator says otherwise. */
export function retentionHours(plan: PlanName): number {
  return env.RETENTION_HOURS ?? plans[plan].retentionHours;
}
