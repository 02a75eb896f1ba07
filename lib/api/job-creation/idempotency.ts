import { db } from "#lib/db/client.ts";
import {
  findIdempotentResponse,
  type IdempotentResponse,
} from "#lib/db/queries/jobs/idempotency-keys.ts";
import { RequestError } from "#lib/errors.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { acceptedSecrets, hmac } from "#lib/service-secret.ts";
import { maxIdempotencyKeyLength } from "../definition/request-headers.ts";
import type { RequestBody } from "../http/body.ts";
import { isGivenUp } from "../http/database-watchdog.ts";

/** The `Idempotency-Key` of a request, and a hash of what the request contains. */
export interface IdempotentRequest {
  readonly key: string;
  readonly fingerprint: string;
  /** The hashes that an earlier request with the same content may have, by the secret at that time. */
  readonly acceptedFingerprints: readonly string[];
}

/** A body without fields and files. */
export const emptyBody = { fields: {}, files: {}, inputs: [] } as const;

/**
 * The request's `Idempotency-Key`, if it has one. Requests with another `operation` are others, and so are those with
 * another content, which is read only if there is a key.
 */
export function parseIdempotency(
  request: Request,
  operation: string,
  readContent: () => Pick<RequestBody, "fields" | "files" | "inputs"> = () => emptyBody,
  tokenId?: string,
): IdempotentRequest | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (key.length < 1 || key.length > maxIdempotencyKeyLength) {
    const message = `\`Idempotency-Key\` must have 1 to ${maxIdempotencyKeyLength} characters.`;
    throw new RequestError("invalid_parameter", message);
  }
  const body = readContent();
  const files = Object.entries(body.files).map(([part, { sha256 }]) => [part, sha256]);
  const inputs = body.inputs.map((one) => (typeof one === "string" ? one : one.sha256));
  const several = inputs.length > 0 ? { inputs } : {};
  const content = canonical({
    operation,
    fields: body.fields,
    files: Object.fromEntries(files),
    ...several,
  });
  // An HMAC, because the content may have secrets that could be guessed.
  const acceptedFingerprints = acceptedSecrets().map((one) => hmac("idempotency", content, one));
  return {
    key: ownKeyOf(key, tokenId),
    fingerprint: hmac("idempotency", content),
    acceptedFingerprints,
  };
}

/** Each browser token has keys of its own. */
function ownKeyOf(key: string, tokenId: string | undefined): string {
  return tokenId === undefined ? key : `${tokenId}:${key}`;
}

/** Whether a request with this request's `Idempotency-Key` has a saved response. Its body is not read. */
export async function isRepeated(
  { headers }: Request,
  accountId: string,
  tokenId: string | undefined,
): Promise<boolean> {
  const key = headers.get("idempotency-key");
  if (key === null) return false;
  return (await findIdempotentResponse(db(), accountId, ownKeyOf(key, tokenId))) !== undefined;
}

/** The requests that this process is working on, by account and key. */
const inFlight = new Map<string, Request>();

/**
 * Handles a request with `handle`. Throws `conflict` while another one with its `Idempotency-Key` is received or
 * accepted, because there is no response yet that could be repeated. A request to another process is not known here,
 * and one that waits for the database after its 503 does not count: of those, the first one that is accepted creates
 * the job or upload.
 */
export async function withoutConcurrentRepeats(
  request: Request,
  accountId: string,
  tokenId: string | undefined,
  handle: () => Promise<Response>,
): Promise<Response> {
  const key = request.headers.get("idempotency-key");
  if (key === null) return handle();
  const own = `${accountId} ${ownKeyOf(key, tokenId)}`;
  const earlier = inFlight.get(own);
  if (earlier && !isGivenUp(earlier)) {
    // It may have been accepted, and wait for the end of its job.
    if (await isRepeated(request, accountId, tokenId)) return handle();
    throw stillInFlight();
  }
  inFlight.set(own, request);
  try {
    return await handle();
  } finally {
    if (inFlight.get(own) === request) inFlight.delete(own);
  }
}

/** The first request with an `Idempotency-Key` is not accepted yet. */
export function stillInFlight(): RequestError {
  const message = "A request with this `Idempotency-Key` is still running. Try again later.";
  return new RequestError("conflict", message, { headers: { "Retry-After": "1" } });
}

/**
 * What was saved of the response to the same request, if there is one. Throws `idempotency_conflict` if the key was used
 * with another request.
 */
export async function findSavedResponse(
  accountId: string,
  { key, acceptedFingerprints }: IdempotentRequest,
): Promise<Pick<IdempotentResponse, "status" | "body"> | undefined> {
  const saved = await findIdempotentResponse(db(), accountId, key);
  if (!saved) return undefined;
  if (!acceptedFingerprints.includes(saved.fingerprint)) {
    const message = "This `Idempotency-Key` was used with another request. Use a new key.";
    throw new RequestError("idempotency_conflict", message);
  }
  return saved;
}

/** The header of a response that was saved. */
export const replayedHeader = { "Idempotency-Replayed": "true" } as const;

/** The saved response to the same request for a job, as `findSavedResponse` finds it. */
export async function replayResponse(
  accountId: string,
  request: IdempotentRequest,
): Promise<Response | undefined> {
  const saved = await findSavedResponse(accountId, request);
  if (!saved) return undefined;
  // The saved body of a request for a job is the job.
  const { id } = saved.body as Job;
  const headers = { Location: `/v1/jobs/${id}`, ...replayedHeader };
  return Response.json(saved.body, { status: saved.status, headers });
}

/** JSON with sorted keys, so that the order of fields makes no difference. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
