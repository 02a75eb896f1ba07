import { db } from "#lib/db/client.ts";
import { deleteSharesOfJob } from "#lib/db/queries/files/shares.ts";
import { expireFilesIfEnded } from "#lib/db/queries/jobs/actions.ts";
import { cancelJobRow } from "#lib/db/queries/jobs/endings.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";
import { markFilesDeleted } from "#lib/db/queries/jobs/sweep.ts";
import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { createId } from "#lib/ids.ts";
import { retentionHoursByPlan } from "#lib/quotas/retention.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { type AcceptedJob, createJob, type JobRequest } from "../accept/create.ts";
import { discardStagedUpload, stageUpload } from "../accept/staged-uploads.ts";
import { removeUnexported } from "../run/export.ts";
import { endJob, removeSecretFiles, reportJobEnd } from "../run/settle.ts";
import { hasErasedSecrets, isSecretPart } from "../secrets.ts";
import { chainName, requestedSteps } from "../steps.ts";
import { inputFolder, inputKey, outputFolder } from "../storage-keys.ts";

/** The secret parameters or the target of a job were erased when it ended. */
export class SecretsErasedError extends Error {
  override readonly name = "SecretsErasedError";
}

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

/** Where a retry comes from, and the id of its job. */
export type RetryOrigin = Pick<JobRequest, "account" | "apiKeyId" | "requestId" | "idempotency"> & {
  readonly id?: string;
};

/**
 * Creates a new job with the input and parameters of a job that failed or was cancelled. Throws
 * `FileGoneError` if an input is no longer stored, `SecretsErasedError` if it had secret parameters or a target.
 * With `keepsSteps`, a chain keeps the output of each operation.
 */
export async function retryJob(
  { id = createId("job"), ...origin }: RetryOrigin,
  job: JobRow,
  { keepsSteps = false }: { readonly keepsSteps?: boolean } = {},
): Promise<AcceptedJob> {
  if (hasErasedSecrets(job, requestedSteps(job))) throw new SecretsErasedError();
  await stageUpload(id);
  try {
    const parts: Record<string, JobSource> = {};
    for (const [part, source] of Object.entries(job.parts)) {
      parts[part] = await copySource(source, id, part, job);
    }
    return await createJob({
      id,
      ...origin,
      operation: job.operation,
      params:
        keepsSteps && job.operation === chainName
          ? { ...job.params, keep_steps: true }
          : job.params,
      source:
        job.source.kind === "none" ? job.source : await copySource(job.source, id, "file", job),
      shownUrl: job.input.url,
      parts,
      webhookUrl: job.webhookUrl,
      target: job.target?.connection ? { ...job.target, headers: {} } : null,
      metadata: job.metadata,
    });
  } catch (error) {
    await discardStagedUpload(id);
    throw error;
  }
}

/** Deletes the files of an ended job. Its record stays. False if the job has not ended. */
export async function deleteJobFiles(accountId: string, id: string): Promise<boolean> {
  // First, so that no client is sent a partly deleted file, and the sweep deletes what this process does not.
  if (!(await expireFilesIfEnded(db(), accountId, id))) return false;
  await deleteSharesOfJob(db(), id);
  await removeFiles(id);
  return true;
}

/** Deletes the files of a job whose retention has ended. */
export async function removeFiles(id: string): Promise<void> {
  await removeJobFolders(id);
  await markFilesDeleted(db(), id);
}

/** Deletes all files of a job. One that the store does not delete keeps none of the others. */
export async function removeJobFolders(id: string): Promise<void> {
  const removals = [inputFolder(id), outputFolder(id)].map((folder) => storage().removeAll(folder));
  for (const one of await Promise.allSettled(removals)) {
    if (one.status === "rejected") throw one.reason;
  }
}

/** Copies a stored input for the new job, so that deleting one job's files keeps the other's. */
async function copySource(
  source: JobSource,
  id: string,
  part: string,
  job: JobRow,
): Promise<JobSource> {
  // A URL has lost its query then, so another file could be at it.
  if (job.filesDeletedAt) throw new FileGoneError(`the files of ${job.id} were deleted`);
  if (source.kind !== "stored") return { kind: "url", url: source.url };
  const key = inputKey(id, part, isSecretPart(part));
  await storage().copy(source.key, key);
  return { ...source, key };
}
