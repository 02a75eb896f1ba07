import type { JobRow } from "#lib/db/schema/jobs.ts";
import type { JobMessage } from "#lib/queue/port.ts";
import { attemptNumber } from "./storage-keys.ts";

type EnqueuedJob = Pick<
  JobRow,
  "id" | "accountId" | "plan" | "stage" | "attempts" | "runnerDeaths"
>;

/** The message that enqueues a job when it is accepted. */
export function firstMessage(job: Omit<EnqueuedJob, "attempts" | "runnerDeaths">): JobMessage {
  return jobMessage({ ...job, attempts: 0, runnerDeaths: 0 });
}

/**
 * The message that enqueues a job for its current stage. `again`: the job was enqueued before, so the
 * message gets a unique dedupe key.
 */
export function jobMessage(
  job: EnqueuedJob,
  options: { delaySeconds?: number; again?: boolean } = {},
): JobMessage {
  const { id, accountId, plan, stage } = job;
  return {
    jobId: id,
    accountId,
    plan,
    stage,
    dedupeKey: `${stage}-${attemptNumber(job)}${options.again ? `-${Date.now()}` : ""}`,
    delaySeconds: options.delaySeconds ?? 0,
  };
}
