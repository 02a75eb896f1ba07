import { db } from "#lib/db/client.ts";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { updateIdempotentResponse } from "#lib/db/queries/jobs/idempotency-keys.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { AlreadyCreatedError } from "#lib/jobs/accept/already-created-error.ts";
import type { AcceptedJob } from "#lib/jobs/accept/create.ts";
import { type EndWatch, watchForEnd } from "#lib/jobs/follow/events.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { serializeJob } from "#lib/jobs/view/job.ts";
import { rateHeaders } from "#lib/quotas/rate-limit.ts";
import type { AccountCaller } from "../definition/access.ts";
import type { RequestContext } from "../definition/endpoint.ts";
import { waitWhileGranted } from "../http/streams/grants.ts";
import { type IdempotentRequest, replayResponse, stillInFlight } from "./idempotency.ts";

export type AccountRequest = RequestContext & AccountCaller;

/** How a request wants the response to the job that it creates. */
export interface JobResponse {
  /** The id that the job will have. */
  readonly id: string;
  /** How long the client prefers to wait for the end of the job; null if not at all. */
  readonly waitSeconds: number | null;
  readonly idempotency: IdempotentRequest | null;
}

/**
 * Responds 202 with the job that `create` creates with the request's `idempotency`, 200 with the finished job if the
 * client prefers to wait, or with the first response to the same `Idempotency-Key`.
 */
export async function respondWithJob(
  context: AccountRequest,
  { id, waitSeconds, idempotency }: JobResponse,
  create: () => Promise<AcceptedJob>,
): Promise<Response> {
  const { account } = context;
  const replayed = idempotency && (await replayResponse(account.id, idempotency));
  if (replayed) return replayed;
  const endWatch =
    waitSeconds === null ? undefined : await watchForEnd(account.id, id, waitSeconds);
  let accepted: AcceptedJob | undefined;
  try {
    accepted = await create();
  } catch (error) {
    if (!(error instanceof AlreadyCreatedError) || !idempotency) throw error;
    const earlier = await replayResponse(account.id, idempotency);
    if (!earlier) throw stillInFlight();
    return earlier;
  } finally {
    if (!accepted) endWatch?.stop();
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
