import type { JobRow } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import type { AcceptedJob } from "#lib/jobs/accept/create.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { deleteJobFiles } from "#lib/jobs/actions/delete-files.ts";
import { type RetryOrigin, retryJob, SecretsErasedError } from "#lib/jobs/actions/retry.ts";
import { FileGoneError } from "#lib/storage/index.ts";
import type { AccountCaller } from "../../definition/access.ts";
import { type JobContext, requireJob } from "./find-job.ts";

/** What the API and the dashboard do with a job. They throw the errors that both show. */

/** Cancels the account's job. Throws 404, and 409 if it has ended. */
export async function cancelAccountJob(context: JobContext): Promise<JobRow> {
  const { id } = await requireJob(context);
  const cancelled = await cancelJob(context.account.id, id);
  if (cancelled) return cancelled;
  const { status } = await requireJob(context);
  const message = `The job is ${status}. Only a pending or processing job can be cancelled.`;
  throw new RequestError("conflict", message);
}

/** Deletes the files of the account's job. Throws 404, and 409 if it has not ended. */
export async function deleteAccountJob(context: JobContext): Promise<void> {
  const { id, status } = await requireJob(context);
  if (await deleteJobFiles(context.account.id, id)) return;
  const message = `The job is ${status}. Cancel it before you delete it.`;
  throw new RequestError("conflict", message);
}

type RetryRequest = Pick<RetryOrigin, "id" | "requestId" | "idempotency">;

/** Retries `job` as a new job, with `keepsSteps` a chain that keeps the output of each operation. Throws 410 if its input was deleted, 409 if it had secret parameters. */
export async function retryAccountJob(
  { account, apiKeyId, requestId, id, idempotency }: AccountCaller & RetryRequest,
  job: JobRow,
  options: { readonly keepsSteps?: boolean } = {},
): Promise<AcceptedJob> {
  try {
    return await retryJob(
      { account, apiKeyId, requestId, idempotency, ...(id ? { id } : {}) },
      job,
      options,
    );
  } catch (error) {
    if (error instanceof SecretsErasedError) {
      const message =
        "The job's secret parameters, or the URLs of its `output`, were erased when it ended. Send the request again with them.";
      throw new RequestError("conflict", message, { cause: error });
    }
    if (!(error instanceof FileGoneError)) throw error;
    const message =
      "The job's input is past its retention time or was deleted. Send it again as a new job.";
    throw new RequestError("gone", message, { cause: error });
  }
}
