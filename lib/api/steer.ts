import type { JobRow } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { cancelJob, deleteJobFiles, retryJob } from "#lib/jobs/actions/actions.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { FileGoneError } from "#lib/storage/index.ts";
import type { KeyedContext } from "./http/route.ts";
import { requireJob } from "./read-jobs.ts";

/** `POST /v1/jobs/{id}/cancel`: the job, cancelled. */
export async function answerCancel(context: KeyedContext): Promise<Response> {
  return Response.json(serializeJob(await requireCancelled(context)));
}

/** `POST /v1/jobs/{id}/retry`: a new job with the input and parameters of a failed or cancelled one. */
export async function answerRetry(context: KeyedContext): Promise<Response> {
  const job = await requireJob(context);
  if (job.status !== "failed" && job.status !== "cancelled") {
    throw wrongState(`The job is ${job.status}; only a failed or cancelled job can be retried.`);
  }
  const row = await repeatJob(context, job);
  const headers = { Location: `/v1/jobs/${row.id}` };
  return Response.json(serializeJob(row), { status: 202, headers });
}

/** `DELETE /v1/jobs/{id}`: its files are deleted at once, its record stays. */
export async function answerDelete(context: KeyedContext): Promise<Response> {
  await requireDeleted(context);
  return new Response(null, { status: 204 });
}

/** Whose job it is, and which. */
type OwnJob = Pick<KeyedContext, "account" | "params">;

/** Cancels the account's job. Throws 404, and 409 where it has ended. */
export async function requireCancelled(own: OwnJob): Promise<JobRow> {
  const { id } = await requireJob(own);
  const cancelled = await cancelJob(own.account.id, id);
  if (cancelled) return cancelled;
  const { status } = await requireJob(own);
  throw wrongState(`The job is ${status}; only a pending or processing job can be cancelled.`);
}

/** Deletes the files of the account's job. Throws 404, and 409 where it has not ended. */
export async function requireDeleted(own: OwnJob): Promise<void> {
  const job = await requireJob(own);
  if (await deleteJobFiles(own.account.id, job.id)) return;
  throw wrongState("The job is still running; cancel it before you delete it.");
}

/** A new job with the input and parameters of `job`. Throws 410 once the input is gone. */
export async function repeatJob(
  { account, requestId }: Pick<KeyedContext, "account" | "requestId">,
  job: JobRow,
): Promise<JobRow> {
  try {
    return await retryJob(account, job, requestId);
  } catch (error) {
    if (!(error instanceof FileGoneError)) throw error;
    const sentence =
      "The job's input is past its retention or was deleted; send it again as a new job.";
    throw new RequestError("gone", sentence, { cause: error });
  }
}

function wrongState(sentence: string): RequestError {
  return new RequestError("conflict", sentence);
}
