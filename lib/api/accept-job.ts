import { db } from "#lib/db/client.ts";
import { updateAnswer } from "#lib/db/queries/jobs/idempotency-keys.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { AlreadyCreatedError, createJob } from "#lib/jobs/accept/create.ts";
import { discardStagedUpload, stageUpload } from "#lib/jobs/accept/staged-uploads.ts";
import { waitForJob } from "#lib/jobs/follow/events.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { inputFolder } from "#lib/jobs/storage-keys.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { plans } from "#lib/plans.ts";
import { isMultipart, type RequestBody, readBody } from "./http/body.ts";
import { parsePreferredWait } from "./http/prefer.ts";
import type { KeyedContext } from "./http/route.ts";
import { type IdempotentRequest, parseIdempotency, replayAnswer } from "./idempotency.ts";
import type { ParsedJobRequest, RequestScope } from "./job-request.ts";

/** What kind of job a request may make. */
export interface Acceptance {
  /** What the job's `operation` says. */
  readonly operation: string;
  /** Names of the parts that may be files. */
  readonly fileParts: readonly string[];
  readonly parse: (body: RequestBody, scope: RequestScope) => Promise<ParsedJobRequest>;
}

/**
 * Reads a request's body, its files straight to storage, and accepts its job: answers 202 with the
 * job, 200 with its end where the client prefers to wait, or the first answer again.
 */
export async function acceptJob(context: KeyedContext, acceptance: Acceptance): Promise<Response> {
  const { account, request, requestId, url } = context;
  if (url.search) {
    const sentence = "Parameters belong in the body of the request, not behind its address.";
    throw new RequestError("invalid_parameter", sentence);
  }
  const { operation, fileParts } = acceptance;
  const waitSeconds = parsePreferredWait(request);
  const id = createId("job");
  const target = {
    keyOf: (part: string) => `${inputFolder(id)}/${part}`,
    parts: fileParts,
    maxFileBytes: plans[account.plan].maxFileBytes,
  };
  let row: JobRow | undefined;
  let idempotency: IdempotentRequest | null = null;
  try {
    if (isMultipart(request)) await stageUpload(id);
    const body = await readBody(request, target);
    idempotency = parseIdempotency(request, operation, body);
    const replayed = idempotency && (await replayAnswer(account.id, idempotency));
    if (replayed) return replayed;
    const { keyOf } = target;
    const parsed = await acceptance.parse(body, { accountId: account.id, jobId: id, keyOf });
    row = await createJob({ id, account, operation, requestId, idempotency, ...parsed });
  } catch (error) {
    if (!(error instanceof AlreadyCreatedError) || !idempotency) throw error;
    const replayed = await replayAnswer(account.id, idempotency);
    if (!replayed) throw conflict();
    return replayed;
  } finally {
    // Nothing stays of a request that made no job; where it made one, its input is its own.
    if (!row) await discardStagedUpload(id);
  }
  return answerAccepted(context, row, waitSeconds, idempotency);
}

async function answerAccepted(
  { account, request }: KeyedContext,
  row: JobRow,
  waitSeconds: number | null,
  idempotency: IdempotentRequest | null,
): Promise<Response> {
  const headers = { Location: `/v1/jobs/${row.id}` };
  if (waitSeconds === null) return Response.json(serializeJob(row), { status: 202, headers });
  const waited = (await waitForJob(account.id, row.id, waitSeconds, request.signal)) ?? row;
  const body = serializeJob(waited);
  if (!isFinal(waited)) return Response.json(body, { status: 202, headers });
  if (idempotency) await updateAnswer(db(), account.id, idempotency.key, { status: 200, body });
  const applied = { ...headers, "Preference-Applied": "wait" };
  return Response.json(body, { status: 200, headers: applied });
}

function conflict(): RequestError {
  const sentence = "A request with this Idempotency-Key is in flight; try again when it has ended.";
  return new RequestError("conflict", sentence, { headers: { "Retry-After": "1" } });
}
