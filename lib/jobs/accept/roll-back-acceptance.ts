import { transaction } from "#lib/db/client.ts";
import { insertArrival } from "#lib/db/queries/files/staged-uploads.ts";
import { deleteUntakenJob } from "#lib/db/queries/jobs/enqueueing.ts";
import { deleteAnswer } from "#lib/db/queries/jobs/idempotency-keys.ts";
import { countJob, settleBytes } from "#lib/db/queries/usage/usage.ts";
import { countAcceptedJob } from "#lib/db/queries/usage/usage-days.ts";

/**
 * Undoes the acceptance of a job that the queue could not be told of: its row, its reservation, its
 * counts and the answer kept under `idempotencyKey`. Its files are again those of a request that made
 * no job, for `abandonArrival`. False where somebody has taken the job meanwhile: it stays accepted.
 */
export function rollBackAcceptance(
  jobId: string,
  idempotencyKey: string | undefined,
): Promise<boolean> {
  return transaction(async (tx) => {
    const job = await deleteUntakenJob(tx, jobId);
    if (!job) return false;
    await settleBytes(tx, job, 0);
    await countJob(tx, job.accountId, job.period, -1);
    await countAcceptedJob(tx, job, -1);
    await insertArrival(tx, job.id);
    if (idempotencyKey !== undefined) await deleteAnswer(tx, job.accountId, idempotencyKey);
    return true;
  });
}
