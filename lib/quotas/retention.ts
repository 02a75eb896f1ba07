import { env } from "#lib/env.ts";
import { allPlanNames, type PlanName, plans } from "#lib/plans.ts";

/**
 * How many hours inputs and outputs are stored: the plan's value, unless `RETENTION_HOURS` overrides it. Files of
 * visitors are never stored longer than their plan says.
 */
export function retentionHours(plan: PlanName): number {
  const hours = plans[plan].retentionHours;
  const override = env.RETENTION_HOURS ?? hours;
  return plan === "visitor" || plan === "system" ? Math.min(hours, override) : override;
}

/** The hours of every plan. */
export const retentionHoursByPlan = Object.fromEntries(
  allPlanNames.map((plan) => [plan, retentionHours(plan)]),
) as Readonly<Record<PlanName, number>>;
