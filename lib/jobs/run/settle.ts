import { faultPoint } from "#faults";
import { type Queryable, transaction } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { type FinalState, finishJob } from "#lib/db/queries/jobs/leases.ts";
import { settleBytes } from "#lib/db/queries/usage/usage.ts";
import { countEndedJob } from "#lib/db/queries/usage/usage-days.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { log } from "#lib/log.ts";
import { plans } from "#lib/plans.ts";
import { queue } from "#lib/queue/index.ts";
import type { AfterCommit, Queue } from "#lib/queue/port.ts";
import { notifyWorkAvailable } from "#lib/queue/work-available.ts";
import { retentionHours } from "#lib/quotas/retention.ts";
import { enqueueDelivery } from "#lib/webhooks/deliveries.ts";
import { notifyJobChange } from "../follow/changes.ts";
import { isFinal } from "../state.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import { recordJobMetrics } from "./job-metrics.ts";

/**
 * Ends a job: writes the final state and the usage and enqueues the webhook, in one transaction, and
 * notifies those who wait. Undefined, and nothing is changed, if the job has already ended or its lease
 * was lost.
 */
export async function settleJob(
  { job, lease }: ClaimedJob,
  state: Omit<FinalState, "expiresAt">,
  usedBytes: number,
): Promise<JobRow | undefined> {
  const opened = await queue();
  const { row, afterCommit } = await transaction(async (tx) => {
    const expiresAt = await fileExpiry(tx, job.accountId);
    const row = await finishJob(tx, lease, { ...state, expiresAt });
    if (!row) return { row, afterCommit: undefined };
    const ended = await settleEndedJob(tx, row, usedBytes, opened);
    faultPoint("in-settle", row.id);
    return ended;
  });
  faultPoint("after-settle", job.id);
  if (row) reportJobEnd(row, usedBytes);
  await afterCommit?.();
  return row;
}

/** Writes the log line and the metrics of an ended job, after the commit. */
export function reportJobEnd(job: JobRow, usedBytes: number): void {
  const { id, requestId, status, errorCode } = job;
  log.info({ job: id, request_id: requestId, error_code: errorCode ?? undefined }, `job ${status}`);
  recordJobMetrics(job, usedBytes);
}

/** What every end of a job requires, in the transaction that ends it. */
export async function settleEndedJob(
  tx: Queryable,
  row: JobRow,
  usedBytes: number,
  opened: Queue,
): Promise<{ row: JobRow; afterCommit: AfterCommit | undefined }> {
  if (!isFinal(row)) throw new Error(`job ${row.id} has not ended`);
  const { id: jobId, accountId, status, webhookUrl: url } = row;
  const chargedBytes = status === "completed" ? usedBytes : 0;
  await settleBytes(tx, row, chargedBytes);
  await countEndedJob(tx, row, status, chargedBytes);
  await notifyJobChange(tx, row);
  // Another job of its account may start.
  if (plans[row.plan].concurrentJobs !== null) {
    await notifyWorkAvailable(tx, { kind: "job", delaySeconds: 0 });
  }
  if (!url) return { row, afterCommit: undefined };
  const event = `job.${status}` as const;
  const { afterCommit } = await enqueueDelivery(tx, opened, { accountId, jobId, url, event });
  return { row, afterCommit };
}

/** When the files of a job that ends now are deleted, by the account's plan. */
export async function fileExpiry(tx: Queryable, accountId: string): Promise<Date> {
  const account = await findAccount(tx, accountId);
  return new Date(Date.now() + retentionHours(account?.plan ?? "free") * 3_600_000);
}
