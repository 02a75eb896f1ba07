import { faultPoint } from "#faults";
import { db, type Queryable, transaction } from "#lib/db/client.ts";
import { type FinalState, finishJob } from "#lib/db/queries/jobs/endings.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { log } from "#lib/log.ts";
import { isSecretPart } from "#lib/operations/secret-values.ts";
import { queue } from "#lib/queue/index.ts";
import type { AfterCommit, Queue } from "#lib/queue/port.ts";
import { retentionHoursByPlan } from "#lib/quotas/retention.ts";
import { storage } from "#lib/storage/index.ts";
import { enqueueDelivery } from "#lib/webhooks/deliveries.ts";
import { isFinal } from "../state.ts";
import { secretFolder } from "../storage-keys.ts";
import type { ClaimedJob } from "./claim/claimed-job.ts";
import { recordJobMetrics } from "./job-metrics.ts";

/**
 * Ends a job: writes the final state and the usage and enqueues the webhook, all or nothing, and
 * notifies those who wait. Undefined, and nothing is changed, if the job has already ended or its lease
 * was lost.
 */
export async function settleJob(
  { job, lease }: ClaimedJob,
  state: FinalState,
  usedBytes: number,
): Promise<JobRow | undefined> {
  const finish = (queryable: Queryable) =>
    finishJob(queryable, lease, state, usedBytes, retentionHoursByPlan);
  const ended = await endJob(job.webhookUrl, finish);
  faultPoint("after-settle", job.id);
  if (!ended) return undefined;
  reportJobEnd(ended.row, usedBytes);
  await ended.afterCommit?.();
  await removeSecretFiles(ended.row);
  return ended.row;
}

/**
 * Deletes the files of an ended job that are kept only while it runs. If that fails, they are deleted
 * with the job's other files.
 */
export async function removeSecretFiles({ id, parts }: JobRow): Promise<void> {
  if (!Object.keys(parts).some(isSecretPart)) return;
  await storage()
    .removeAll(secretFolder(id))
    .catch((err) => log.warn({ err, job: id }, "secret files of a job were not deleted"));
}

/** Writes the log line and the metrics of an ended job, after the commit. */
export function reportJobEnd(job: JobRow, usedBytes: number): void {
  const { id, requestId, status, errorCode } = job;
  log.info({ job: id, request_id: requestId, error_code: errorCode ?? undefined }, `job ${status}`);
  // The service's own checks are not part of its work.
  if (job.plan !== "system") recordJobMetrics(job, usedBytes);
}

/**
 * Calls `end`, whose one statement ends a job, and enqueues the job's webhook in the same transaction.
 * Without a webhook the statement is the transaction. Call `afterCommit` then. Undefined if `end`
 * changed nothing.
 */
export async function endJob(
  webhookUrl: string | null,
  end: (queryable: Queryable) => Promise<JobRow | undefined>,
): Promise<{ readonly row: JobRow; readonly afterCommit?: AfterCommit } | undefined> {
  if (webhookUrl === null) {
    const row = await end(db());
    return row && { row };
  }
  const opened = await queue();
  return transaction(async (tx) => {
    const row = await end(tx);
    if (!row) return undefined;
    const afterCommit = await enqueueWebhook(tx, opened, row, webhookUrl);
    faultPoint("in-settle", row.id);
    return { row, afterCommit };
  });
}

async function enqueueWebhook(
  tx: Queryable,
  opened: Queue,
  row: JobRow,
  url: string,
): Promise<AfterCommit> {
  if (!isFinal(row)) throw new Error(`job ${row.id} has not ended`);
  const { id: jobId, accountId, status } = row;
  const event = `job.${status}` as const;
  return (await enqueueDelivery(tx, opened, { accountId, jobId, url, event })).afterCommit;
}
