import { db } from "#lib/db/client.ts";
import { cancelJobRow } from "#lib/db/queries/jobs/endings.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { retentionHoursByPlan } from "#lib/quotas/retention.ts";
import { removeUnexported } from "../run/export.ts";
import { endJob, removeSecretFiles, reportJobEnd } from "../run/settle.ts";

/** Cancels a job and stops its engine. Undefined if the job has already ended. */
export async function cancelJob(accountId: string, id: string): Promise<JobRow | undefined> {
  const job = await findJob(db(), accountId, id);
  if (!job) return undefined;
  const ended = await endJob(job.webhookUrl, (queryable) =>
    cancelJobRow(queryable, accountId, id, retentionHoursByPlan),
  );
  if (!ended) return undefined;
  await ended.afterCommit?.();
  await removeSecretFiles(ended.row);
  if (ended.row.unexported) await removeUnexported(ended.row);
  reportJobEnd(ended.row, 0);
  return ended.row;
}
