import type { Queryable } from "#lib/db/client.ts";
import { countJobsBefore, type JobsBefore } from "#lib/db/queries/jobs/waits.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { plans } from "#lib/plans.ts";
import { isFinal } from "../state.ts";
import { phasesOf } from "./phases.ts";

/** A shorter wait needs no explanation. */
const minExplainedMs = 1000;

/** Why a job waited for more than a second, in one sentence; undefined if it did not. */
export async function explainWait(
  db: Queryable,
  job: JobRow,
  now: Date,
): Promise<string | undefined> {
  // Written while no runner can run it.
  if (job.leaseToken === null && !isFinal(job) && job.warnings[0] !== undefined)
    return job.warnings[0];
  const waits = waitsOf(job, now);
  if (waits.queuedMs + waits.engineMs <= minExplainedMs) return undefined;
  const isQueued = waits.queuedMs > minExplainedMs && job.runnerDeaths === 0 && job.attempts <= 1;
  return describeWait(job, waits, isQueued ? await countJobsBefore(db, job) : undefined);
}

interface Waits {
  /** The wait until a runner first claimed the job. */
  readonly queuedMs: number;
  /** The wait for an engine, or for the next attempt. */
  readonly engineMs: number;
}

function waitsOf(job: JobRow, now: Date): Waits {
  const lengthOf = (name: string) =>
    phasesOf(job)
      .filter((phase) => phase.name === name)
      .reduce(
        (sum, { from, to }) => sum + (to ? Date.parse(to) : now.getTime()) - Date.parse(from),
        0,
      );
  return { queuedMs: lengthOf("queued"), engineMs: lengthOf("waiting") };
}

/** @param before the account's jobs when this one was created; undefined if they were not the reason */
export function describeWait(
  { attempts, runnerDeaths, plan }: Pick<JobRow, "attempts" | "runnerDeaths" | "plan">,
  { queuedMs, engineMs }: Waits,
  before: JobsBefore | undefined,
): string {
  if (runnerDeaths > 0) {
    const times = runnerDeaths === 1 ? "" : ` ${runnerDeaths} times`;
    return `It waited because its runner was lost${times}, and another one took it over.`;
  }
  if (attempts > 1) return "It waited because an attempt failed, and it was tried again.";
  if (queuedMs <= minExplainedMs || before === undefined || engineMs > queuedMs) {
    return "It waited because all engines of its runner were busy.";
  }
  const { concurrentJobs } = plans[plan];
  const { running, waiting } = before;
  if (concurrentJobs !== null && running + waiting >= concurrentJobs) {
    const slots = concurrentJobs === 1 ? "The slot" : `All ${concurrentJobs} slots`;
    const queue = waiting === 0 ? "" : `, and ${describeJobs(waiting)} waited before it`;
    return `${slots} of the plan ${plan} ${concurrentJobs === 1 ? "was" : "were"} in use${queue}.`;
  }
  if (running + waiting > 0)
    return `${describeJobs(running + waiting)} of this account came before it.`;
  return "It waited because no runner was free.";
}

function describeJobs(count: number): string {
  return count === 1 ? "1 job" : `${count} jobs`;
}
