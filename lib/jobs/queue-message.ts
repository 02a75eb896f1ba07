import type { JobRow } from "#lib/db/schema/jobs.ts";
import { type PlanName, plans } from "#lib/plans.ts";
import type { JobMessage } from "#lib/queue/port.ts";

/**
 * The ticket that announces what a job waits for now; `again` sets one that is not the job's first
 * apart from all before it.
 */
export function jobMessage(
  job: JobRow,
  options: { delaySeconds?: number; again?: boolean } = {},
): JobMessage {
  const stage = job.needsFetch ? "fetch" : "run";
  const tries = job.attempts + job.runnerDeaths;
  return {
    jobId: job.id,
    accountId: job.accountId,
    plan: planOf(job),
    stage,
    round: `${stage}-${tries}${options.again ? `-${Date.now()}` : ""}`,
    delaySeconds: options.delaySeconds ?? 0,
  };
}

/** The plan that a job was accepted under, by its priority. */
export function planOf(job: Pick<JobRow, "priority">): PlanName {
  return Object.values(plans).find((plan) => plan.priority === job.priority)?.name ?? "free";
}
