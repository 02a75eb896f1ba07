import { env } from "#lib/env.ts";
import { type PlanName, planNames, plans } from "#lib/plans.ts";

/** How many hours inputs and outputs are stored: the plan's value, unless `RETENTION_HOURS` overrides it. */
export function retentionHours(plan: PlanName): number {
  return env.RETENTION_HOURS ?? plans[plan].retentionHours;
}

/** The hours of every plan. */
export const retentionHoursByPlan = Object.fromEntries(
  planNames.map((plan) => [plan, retentionHours(plan)]),
) as Readonly<Record<PlanName, number>>;
