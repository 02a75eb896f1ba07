import { faultPoint } from "#faults";
import { type Queryable, transaction } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { type FinalState, finishJob, type Lease } from "#lib/db/queries/jobs/leases.ts";
import { settleBytes } from "#lib/db/queries/usage/usage.ts";
import { countEndedJob } from "#lib/db/queries/usage/usage-days.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { log } from "#lib/log.ts";
import { queue } from "#lib/queue/index.ts";
import type { AfterCommit } from "#lib/queue/port.ts";
import { retentionHours } from "#lib/quotas/retention.ts";
import { oweDelivery } from "#lib/webhooks/deliveries.ts";
import { notifyJobChange } from "../follow/changes.ts";
import { notifySlotAvailable } from "../work-available.ts";
import { countEnd } from "./count-end.ts";

/**
 * Ends a job: final state, usage and owed webhook in one transaction, told to those who wait.
 * Undefined where the job had ended already or was no longer ours: then nothing is changed.
 */
export async function settleJob(
  lease: Lease,
  accountId: string,
  state: Omit<FinalState, "expiresAt">,
  usedBytes: number,
): Promise<JobRow | undefined> {
  const opened = await queue();
  const { row, afterCommit } = await transaction(async (tx) => {
    const expiresAt = await retentionEnd(tx, accountId);
    const row = await finishJob(tx, lease, { ...state, expiresAt });
    if (!row) return { row, afterCommit: undefined };
    const closed = await closeJob(tx, row, usedBytes, opened);
    faultPoint("in-settle", row.id);
    return closed;
  });
  faultPoint("after-settle", lease.jobId);
  if (row) noteEnd(row, usedBytes);
  await afterCommit?.();
  return row;
}

/** For the log and the metrics, once an end is committed. */
export function noteEnd(job: JobRow, usedBytes: number): void {
  const { id, requestId, status, errorCode } = job;
  log.info({ job: id, request_id: requestId, error_code: errorCode ?? undefined }, `job ${status}`);
  countEnd(job, usedBytes);
}

/** What every end of a job brings with it, in the transaction that ends it. */
export async function closeJob(
  tx: Queryable,
  row: JobRow,
  usedBytes: number,
  opened: Awaited<ReturnType<typeof queue>>,
): Promise<{ row: JobRow; afterCommit: AfterCommit | undefined }> {
  // closeJob is called for final rows alone, and these three are the final ones.
  const status = row.status as "completed" | "failed" | "cancelled";
  const booked = status === "completed" ? usedBytes : 0;
  await settleBytes(tx, row, booked);
  await countEndedJob(tx, row, status, booked);
  await notifyJobChange(tx, row.id);
  await notifySlotAvailable(tx, row);
  if (!row.webhookUrl) return { row, afterCommit: undefined };
  const event = `job.${status}` as const;
  const { accountId, webhookUrl: url } = row;
  const { afterCommit } = await oweDelivery(tx, opened, { accountId, jobId: row.id, url, event });
  return { row, afterCommit };
}

/** When the files of a job that ends now are deleted, by the account's plan. */
export async function retentionEnd(tx: Queryable, accountId: string): Promise<Date> {
  const account = await findAccount(tx, accountId);
  return new Date(Date.now() + retentionHours(account?.plan ?? "free") * 3_600_000);
}
