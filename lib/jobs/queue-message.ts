import type { JobRow } from "#lib/db/schema/jobs.ts";
import type { JobMessage } from "#lib/queue/port.ts";
import { attemptNumber } from "./storage-keys.ts";

/**
 * The message that enqueues a job for its current stage. `again`: the job was enqueued before, so the
 * message gets a unique dedupe key.
 */
export function jobMessage(
  job: JobRow,
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
