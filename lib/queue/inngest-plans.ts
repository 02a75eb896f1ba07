import { type Plan, type PlanName, plans } from "#lib/plans.ts";

/** What Inngest enforces of the plans: priority and concurrent jobs, as CEL expressions over `event.data`. */

/** Inngest's maximum head start. The highest plan gets it, lower plans a proportional share. */
const maxHeadStartSeconds = 600;

interface LimitedPlan {
  readonly name: PlanName;
  readonly concurrentJobs: number;
}

const [smallest, unit, ...larger] = Object.values(plans)
  .filter((plan): plan is Plan & LimitedPlan => plan.concurrentJobs !== null)
  .toSorted((one, other) => one.concurrentJobs - other.concurrentJobs);
if (!smallest || !unit) throw new Error("Inngest's limits need two plans with a limit");

/**
 * A function has at most two concurrency limits, each with a fixed number: the smallest plan's and the
 * next one's. A larger plan spreads an account's jobs over several keys of the second limit.
 */
const slotsByPlan = new Map<PlanName, number>(
  [unit, ...larger].map(({ name, concurrentJobs }) => {
    const slots = concurrentJobs / unit.concurrentJobs;
    if (!Number.isInteger(slots)) throw new Error(`plan ${name}: no multiple of ${unit.name}`);
    return [name, slots];
  }),
);

/** A nested `plan == 'x' ? value : …` with `otherwise` at the end. */
function byPlan(values: readonly (readonly [PlanName, string])[], otherwise: string): string {
  return values.reduceRight(
    (rest, [plan, value]) => `event.data.plan == '${plan}' ? ${value} : ${rest}`,
    otherwise,
  );
}

const highest = Math.max(...Object.values(plans).map(({ priority }) => priority));

/** Head start in seconds. */
export const headStart = byPlan(
  Object.values(plans).map(({ name, priority }) => [
    name,
    String((maxHeadStartSeconds * priority) / highest),
  ]),
  "0",
);

const account = "event.data.accountId";
/** A key of its own for every event: no limit. */
const unlimited = "event.id";

/** Limits on concurrent jobs per account. Their scope is the environment, so that all functions share them. */
export const jobConcurrency: [
  { scope: "env"; limit: number; key: string },
  { scope: "env"; limit: number; key: string },
] = [
  {
    scope: "env",
    limit: smallest.concurrentJobs,
    key: byPlan([[smallest.name, account]], unlimited),
  },
  {
    scope: "env",
    limit: unit.concurrentJobs,
    key: byPlan(
      [...slotsByPlan].map(([plan, slots]) => [
        plan,
        slots === 1 ? account : `${account} + '-' + string(event.data.slot)`,
      ]),
      unlimited,
    ),
  },
];

/** The slot of a job among its account's keys, from 0. */
export function slotOf(jobId: string, plan: PlanName): number {
  return jobId.charCodeAt(jobId.length - 1) % (slotsByPlan.get(plan) ?? 1);
}
