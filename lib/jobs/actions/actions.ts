import { db, notify, transaction } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { cancelJobRow, leaveToSweep, markDeleted } from "#lib/db/queries/jobs/actions.ts";
import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { createId } from "#lib/ids.ts";
import { queue } from "#lib/queue/index.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { createJob } from "../accept/create.ts";
import { discardStagedUpload, stageUpload } from "../accept/staged-uploads.ts";
import { cancelChannel } from "../run/lease.ts";
import { closeJob, noteEnd, retentionEnd } from "../run/settle.ts";
import { inputFolder, outputFolder } from "../storage-keys.ts";

/** Cancels a job and stops its engine. Undefined where it had ended before. */
export async function cancelJob(accountId: string, id: string): Promise<JobRow | undefined> {
  const opened = await queue();
  const closed = await transaction(async (tx) => {
    const expiresAt = await retentionEnd(tx, accountId);
    const row = await cancelJobRow(tx, accountId, id, expiresAt);
    if (!row) return undefined;
    await notify(tx, cancelChannel, row.id);
    return closeJob(tx, row, 0, opened);
  });
  await closed?.afterCommit?.();
  if (!closed) return undefined;
  noteEnd(closed.row, 0);
  await opened.withdrawJob(id)();
  return closed.row;
}

/**
 * Makes a new job with the input and the parameters of one that failed or was cancelled. Throws
 * `FileGoneError` where an input is no longer stored.
 */
export async function retryJob(account: Account, job: JobRow, requestId: string): Promise<JobRow> {
  const id = createId("job");
  await stageUpload(id);
  try {
    const parts: Record<string, JobSource> = {};
    for (const [part, source] of Object.entries(job.parts)) {
      parts[part] = await copySource(source, id, part, job);
    }
    return await createJob({
      id,
      account,
      operation: job.operation,
      params: job.params,
      source: await copySource(job.source, id, "file", job),
      parts,
      webhookUrl: job.webhookUrl,
      metadata: job.metadata,
      requestId,
    });
  } catch (error) {
    await discardStagedUpload(id);
    throw error;
  }
}

/** Deletes the files of an ended job at once; its record stays. False where it has not ended. */
export async function deleteJobFiles(accountId: string, id: string): Promise<boolean> {
  // Marked first: from now on nobody is sent a file that is half gone.
  if (!(await markDeleted(db(), accountId, id))) return false;
  try {
    await storage().removeAll(inputFolder(id));
    await storage().removeAll(outputFolder(id));
  } catch (error) {
    await leaveToSweep(db(), id);
    throw error;
  }
  return true;
}

/** A stored input of its own for the new job, so that neither job's deletion takes the other's. */
async function copySource(
  source: JobSource,
  id: string,
  part: string,
  job: JobRow,
): Promise<JobSource> {
  if (source.kind === "url") return source;
  if (job.filesDeletedAt) throw new FileGoneError(source.key);
  const key = `${inputFolder(id)}/${part}`;
  await storage().copy(source.key, key);
  return { ...source, key };
}
