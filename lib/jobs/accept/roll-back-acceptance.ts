import { transaction } from "#lib/db/client.ts";
import { insertStagedUpload } from "#lib/db/queries/files/staged-uploads.ts";
import { deleteUnclaimedJob } from "#lib/db/queries/jobs/enqueueing.ts";
import { deleteIdempotentResponse } from "#lib/db/queries/jobs/idempotency-keys.ts";
import { releaseReservation, uncountJob } from "#lib/db/queries/usage/usage.ts";
import { uncountAcceptedJob } from "#lib/db/queries/usage/usage-days.ts";
import { sourcesOf } from "../sources.ts";

/**
 * Undoes the acceptance of a job that could not be enqueued: its row, its reservation, its counts and
 * the response saved under `idempotencyKey`. Its files are staged again, for `discardStagedUpload`.
 * False if a runner has claimed the job meanwhile: then the job stays accepted.
 */
export function rollBackAcceptance(
  jobId: string,
  idempotencyKey: string | undefined,
): Promise<boolean> {
  return transaction(async (tx) => {
    const job = await deleteUnclaimedJob(tx, jobId);
    if (!job) return false;
    await releaseReservation(tx, job);
    await uncountJob(tx, job.accountId, job.period);
    await uncountAcceptedJob(tx, job);
    if (sourcesOf(job).some(({ kind }) => kind === "stored")) await insertStagedUpload(tx, job.id);
    if (idempotencyKey !== undefined) {
      await deleteIdempotentResponse(tx, job.accountId, idempotencyKey);
    }
    return true;
  });
}
