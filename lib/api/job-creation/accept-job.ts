import { db } from "#lib/db/client.ts";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { updateIdempotentResponse } from "#lib/db/queries/jobs/idempotency-keys.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { type AcceptedJob, AlreadyCreatedError, createJob } from "#lib/jobs/accept/create.ts";
import { discardStagedUpload, stageUpload } from "#lib/jobs/accept/staged-uploads.ts";
import { type EndWatch, watchForEnd } from "#lib/jobs/follow/events.ts";
import { isSecretPart } from "#lib/jobs/secrets.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { chainName } from "#lib/jobs/steps.ts";
import { inputKey } from "#lib/jobs/storage-keys.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { fileLimitOf, plans } from "#lib/plans.ts";
import { rateHeaders } from "#lib/quotas/rate-limit.ts";
import type { AccountCaller } from "../definition/access.ts";
import type { RequestContext } from "../definition/endpoint.ts";
import { isMultipart, type RequestBody, readBody } from "../http/body.ts";
import { receiveUpload } from "../http/slots/upload-slots.ts";
import { waitWhileGranted } from "../http/streams/grants.ts";
import {
  type IdempotentRequest,
  isRepeated,
  parseIdempotency,
  replayResponse,
} from "./idempotency.ts";
import type { ParsedJobRequest } from "./job-request.ts";
import { parsePreferredWait } from "./prefer.ts";
import { copyUploads, hasUploads } from "./sources.ts";
import {
  requireAllowed,
  requireAllowedRequest,
  requireJobsLeft,
  withinJobsOf,
} from "./token-rights.ts";

type AccountRequest = RequestContext & AccountCaller;

/** The job that a request creates. */
interface JobKind {
  /** The job's `operation`. */
  readonly operation: string;
  /** Names of the parts that may be files. */
  readonly fileParts: readonly string[];
  /** How many inputs it may have. */
  readonly maxInputs: number;
  /** Fields that a form may have several times. */
  readonly repeatable: readonly string[];
  readonly parse: (body: RequestBody) => Promise<ParsedJobRequest>;
}

/**
 * Reads a request's body, streams its files to storage, and accepts its job. Responds 202 with the
 * job, 200 with the finished job if the client prefers to wait, or with the first response to the
 * same `Idempotency-Key`.
 */
export async function acceptJob(context: AccountRequest, kind: JobKind): Promise<Response> {
  const { account, apiKeyId, token, request, requestId } = context;
  const { operation, fileParts, maxInputs, repeatable } = kind;
  const waitSeconds = parsePreferredWait(request);
  const id = createId("job");
  const keyOf = (part: string) => inputKey(id, part, isSecretPart(part));
  if (token) {
    await requireJobsLeft(token, () => isRepeated(request, account.id, token.id));
    if (operation !== chainName) requireAllowed(token, [operation]);
  }
  const fileLimit = fileLimitOf(plans[account.plan], token?.maxBytes);
  const uploads = { keyOf, parts: fileParts, maxInputs, repeatable, fileLimit };
  let isStaged = false;
  const stage = async () => {
    isStaged = true;
    await stageUpload(id);
  };
  let endWatch: EndWatch | undefined;
  let accepted: AcceptedJob | undefined;
  let idempotency: IdempotentRequest | null = null;
  try {
    const receiveForm = async () => {
      await stage();
      return readBody(context, uploads);
    };
    const body = isMultipart(request)
      ? await receiveUpload(account.id, receiveForm)
      : await readBody(context, uploads);
    idempotency = parseIdempotency(request, operation, body, token?.id);
    const replayed = idempotency && (await replayResponse(account.id, idempotency));
    if (replayed) return replayed;
    const parsed = await kind.parse(body);
    if (token) requireAllowedRequest(token, operation, parsed);
    const { params, webhookUrl, metadata, target, ...files } = parsed;
    if (hasUploads(files) && !isStaged) await stage();
    const sources = await copyUploads(files, keyOf);
    const fields = { params, webhookUrl, metadata, target, ...sources };
    if (waitSeconds !== null) endWatch = await watchForEnd(account.id, id, waitSeconds);
    const origin = { account, apiKeyId, token, requestId };
    accepted = await withinJobsOf(token, () =>
      createJob({ id, operation, idempotency, ...origin, ...fields }),
    );
  } catch (error) {
    if (!(error instanceof AlreadyCreatedError) || !idempotency) throw error;
    const replayed = await replayResponse(account.id, idempotency);
    if (!replayed) throw stillRunning();
    return replayed;
  } finally {
    if (!accepted) {
      endWatch?.stop();
      if (isStaged) await discardStagedUpload(id);
    }
  }
  const waited = endWatch && (await waitForEnd(context, endWatch));
  return respondAccepted(accepted, waited, idempotency);
}

/**
 * The job when it has ended or after the time of the watch; undefined if the database is unavailable then:
 * the client must learn of the accepted job. Throws if the caller loses access meanwhile.
 */
async function waitForEnd(context: AccountRequest, watch: EndWatch): Promise<JobRow | undefined> {
  try {
    return await waitWhileGranted(context, (signal) => watch.wait(signal));
  } catch (error) {
    if (isDatabaseUnavailable(error)) return undefined;
    throw error;
  }
}

/**
 * Responds to an accepted job; `waited` is the job as it is after the time that the client prefers
 * to wait.
 */
async function respondAccepted(
  { job, rate }: AcceptedJob,
  waited: JobRow | undefined,
  idempotency: IdempotentRequest | null,
): Promise<Response> {
  const body = serializeJob(waited ?? job);
  const isFinished = waited !== undefined && isFinal(waited);
  if (isFinished && idempotency) {
    const { accountId } = job;
    await updateIdempotentResponse(db(), accountId, idempotency.key, { status: 200, body });
  }
  const headers = new Headers({ Location: `/v1/jobs/${job.id}`, ...rateHeaders(rate) });
  if (isFinished) headers.set("Preference-Applied", "wait");
  return Response.json(body, { status: isFinished ? 200 : 202, headers });
}

function stillRunning(): RequestError {
  const message = "A request with this `Idempotency-Key` is still running. Try again later.";
  return new RequestError("conflict", message, { headers: { "Retry-After": "1" } });
}
