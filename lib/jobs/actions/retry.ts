import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { createId } from "#lib/ids.ts";
import { isSecretPart } from "#lib/operations/secret-values.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { type AcceptedJob, createJob, type JobRequest } from "../accept/create.ts";
import { discardStagedUpload, stageUpload } from "../accept/staged-uploads.ts";
import { hasErasedSecrets } from "../secret-parameters.ts";
import { chainName, requestedSteps } from "../steps.ts";
import { inputKey } from "../storage-keys.ts";

/** The secret parameters or the target of a job were erased when it ended. */
export class SecretsErasedError extends Error {
  override readonly name = "SecretsErasedError";
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
