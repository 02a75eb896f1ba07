import { notify, type Queryable, transaction } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts.ts";
import { type FinalState, finishJob, type Lease } from "#lib/db/queries/leases.ts";
import { settleBytes } from "#lib/db/queries/usage.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { queue } from "#lib/queue/index.ts";
import type { AfterCommit } from "#lib/queue/port.ts";
import { plans } from "#lib/quotas/plans.ts";
import { oweDelivery } from "#lib/webhooks/deliveries.ts";
import { changeChannel } from "./events.ts";

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
    return row ? closeJob(tx, row, usedBytes, opened) : { row: undefined, afterCommit: undefined };
  });
  await afterCommit?.();
  return row;
}

/** What every end of a job brings with it, in the transaction that ends it. */
export async function closeJob(
  tx: Queryable,
  row: JobRow,
  usedBytes: number,
  opened: Awaited<ReturnType<typeof queue>>,
): Promise<{ row: JobRow; afterCommit: AfterCommit | undefined }> {
  await settleBytes(tx, row, row.status === "completed" ? usedBytes : 0);
  await notify(tx, changeChannel, row.id);
  if (!row.webhookUrl) return { row, afterCommit: undefined };
  // closeJob is called for final rows alone, and these three are the final ones.
  const event = `job.${row.status}` as "job.completed" | "job.failed" | "job.cancelled";
  const { accountId, webhookUrl: url } = row;
  const { afterCommit } = await oweDelivery(tx, opened, { accountId, jobId: row.id, url, event });
  return { row, afterCommit };
}

/** When the files of a job that ends now are deleted, by the account's plan. */
export async function retentionEnd(tx: Queryable, accountId: string): Promise<Date> {
  const account = await findAccount(tx, accountId);
  const hours = env.RETENTION_HOURS ?? plans[account?.plan ?? "free"].retentionHours;
  return new Date(Date.now() + hours * 3_600_000);
}
