import { RequestError } from "#lib/errors.ts";
import { describeJob } from "#lib/jobs/describe.ts";
import { cancelJob, deleteJobFiles, retryJob } from "#lib/jobs/steer.ts";
import { FileGoneError } from "#lib/storage/index.ts";
import { requireJob } from "./read-jobs.ts";
import type { KeyedContext } from "./route.ts";

/** `POST /v1/jobs/{id}/cancel`: the job, cancelled. */
export async function answerCancel(context: KeyedContext): Promise<Response> {
  const { id } = await requireJob(context);
  const cancelled = await cancelJob(context.account.id, id);
  if (cancelled) return Response.json(describeJob(cancelled));
  const { status } = await requireJob(context);
  throw wrongState(`The job is ${status}; only a pending or processing job can be cancelled.`);
}

/** `POST /v1/jobs/{id}/retry`: a new job with the input and parameters of a failed or cancelled one. */
export async function answerRetry(context: KeyedContext): Promise<Response> {
  const job = await requireJob(context);
  if (job.status !== "failed" && job.status !== "cancelled") {
    throw wrongState(`The job is ${job.status}; only a failed or cancelled job can be retried.`);
  }
  try {
    const row = await retryJob(context.account, job, context.requestId);
    const headers = { Location: `/v1/jobs/${row.id}` };
    return Response.json(describeJob(row), { status: 202, headers });
  } catch (error) {
    if (!(error instanceof FileGoneError)) throw error;
    const sentence =
      "The job's input is past its retention or was deleted; send it again as a new job.";
    throw new RequestError("gone", sentence, { cause: error });
  }
}

/** `DELETE /v1/jobs/{id}`: its files are deleted at once, its record stays. */
export async function answerDelete(context: KeyedContext): Promise<Response> {
  const job = await requireJob(context);
  if (await deleteJobFiles(context.account.id, job.id)) return new Response(null, { status: 204 });
  throw wrongState("The job is still running; cancel it before you delete it.");
}

function wrongState(sentence: string): RequestError {
  return new RequestError("conflict", sentence);
}
