import { db } from "#lib/db/client.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { hasFiles } from "#lib/jobs/view/details.ts";
import { type SignedQuery, verifyInputLink, verifyOutputLink } from "#lib/jobs/view/links.ts";
import type { KeyedContext, RequestContext } from "./http/route.ts";
import { outputGone, sendOutput } from "./http/send-file.ts";
import { requireJob } from "./read-jobs.ts";

/** `GET /v1/jobs/{id}/output` and `/outputs/{n}`: a file of a completed job. */
export async function answerOutput(context: KeyedContext): Promise<Response> {
  const job = await requireJob(context);
  return sendOutput(context.request, pickOutput(job, context.params.index ?? "0"));
}

/** `GET /files/{job}/{n}/{name}`: the same by a signed address, without a key and from any origin. */
export async function answerSignedOutput(context: RequestContext): Promise<Response> {
  const { params, request, url } = context;
  const { job: jobId = "", index = "" } = params;
  if (!verifyOutputLink(jobId, Number(index), signedQuery(url))) throw notOurs();
  const job = await findJobById(db(), jobId);
  if (!job) throw outputGone();
  const output = pickOutput(job, index);
  if (nameOf(url) !== output.filename) throw notOurs();
  const response = await sendOutput(request, output);
  for (const [name, value] of Object.entries(openToAll)) response.headers.set(name, value);
  return response;
}

/**
 * `GET /files/{job}/input/{part}/{name}`: a stored input by a signed address, for the dashboard's
 * own pages alone.
 */
export async function answerSignedInput({
  params,
  request,
  url,
}: RequestContext): Promise<Response> {
  const { job: jobId = "", part = "" } = params;
  if (!verifyInputLink(jobId, part, signedQuery(url))) {
    const sentence = "The link is not valid or has expired; load the job's page again.";
    throw new RequestError("forbidden", sentence);
  }
  const job = await findJobById(db(), jobId);
  const source = part === "file" ? job?.source : job?.parts[part];
  if (!job || source?.kind !== "upload" || !hasFiles(job)) throw outputGone();
  const response = await sendOutput(request, source);
  response.headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return response;
}

function notOurs(): RequestError {
  const sentence = "The link is not valid or has expired; read the job again for a fresh one.";
  return new RequestError("forbidden", sentence, { headers: openToAll });
}

/** The name at the end of a signed address; undefined where it is not well formed. */
function nameOf({ pathname }: URL): string | undefined {
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
  } catch {
    return undefined; // a percent sign of somebody else's
  }
}

/** What a signed address carries behind its path, exactly as we wrote it. */
export function signedQuery({ search }: URL): SignedQuery {
  const [, expires = null, signature = null] =
    /^\?expires=(\d{1,12})&signature=([0-9a-f]{64})$/.exec(search) ?? [];
  return { expires, signature };
}

const openToAll = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

function pickOutput(job: JobRow, index: string): JobOutput {
  const outputs = requireOutputs(job);
  const output = /^\d{1,6}$/.test(index) ? outputs[Number(index)] : undefined;
  if (output) return output;
  const sentence = `The job has no such output; it has ${outputs.length}, counted from 0.`;
  throw new RequestError("not_found", sentence);
}

/** The outputs of a completed job. Throws 409 before its end, 410 past its retention. */
export function requireOutputs(job: JobRow): readonly JobOutput[] {
  if (job.status !== "completed") {
    const sentence = `The job is ${job.status}; it has an output once it is completed.`;
    throw new RequestError("conflict", sentence);
  }
  if (!hasFiles(job)) throw outputGone();
  return job.outputs;
}
