import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { requireAnswer } from "#lib/db/ping.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError, type RequestErrorCode } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import {
  countRejectedRequest,
  type RateState,
  rateHeaders,
  readRateState,
  requireRateBelowLimit,
} from "#lib/quotas/rate-limit.ts";
import type { RequestContext } from "../definition/endpoint.ts";
import type { Authorizers } from "./callers/authorize.ts";
import { markDecided } from "./database-watchdog.ts";
import { errorResponse } from "./error-response.ts";

/**
 * The response to an account, with the headers of its rate limit. A handler that counted the request
 * sets these headers itself. `createsWork`: rejected if the account's minute is full. A request that fails
 * after its body was read, or while it was, counts too: it costs as much as one that is accepted.
 */
export async function respondWithinRate(
  account: Account,
  { createsWork }: { readonly createsWork?: boolean },
  context: RequestContext,
  respond: () => Promise<Response>,
): Promise<Response> {
  const rate = await readRateState(account);
  const guarded = async () => {
    if (createsWork) requireRateBelowLimit(rate);
    return respond();
  };
  let isCounted = false;
  const response = await guarded().catch((error) => {
    isCounted = createsWork === true && isRejectedBody(error);
    return errorResponse(error, context);
  });
  const after = isCounted ? await countRejected(account, rate, context) : rate;
  if (!response.headers.has("RateLimit-Limit")) setRateHeaders(response, after);
  return response;
}

/** How long a response waits until its request is counted. */
const countTimeoutMs = 3000;

/**
 * Counts a request whose body was rejected. Resolves with the state before it if the database is unavailable: the
 * client must learn why its request was rejected.
 */
async function countRejected(
  account: Account,
  before: RateState,
  { request, requestId }: RequestContext,
): Promise<RateState> {
  markDecided(request);
  try {
    return await requireAnswer(countRejectedRequest(account), countTimeoutMs);
  } catch (err) {
    if (!isDatabaseUnavailable(err)) throw err;
    log.warn({ err, request_id: requestId }, "rejected request not counted");
    return before;
  }
}

const bodyErrors: ReadonlySet<RequestErrorCode> = new Set([
  "invalid_request",
  "invalid_parameter",
  "invalid_input",
  "request_timeout",
  "too_large",
  "unsupported_media_type",
  "idempotency_conflict",
  "usage_limit_reached",
  "forbidden",
]);

function isRejectedBody(error: unknown): boolean {
  return error instanceof RequestError && bodyErrors.has(error.code);
}

/** The response of an endpoint without a caller. Under /v1, a valid key still gets the rate headers. */
export async function respondToPublic(
  context: RequestContext,
  authorizers: Authorizers,
  respond: () => Promise<Response>,
): Promise<Response> {
  const response = await respond().catch((error) => errorResponse(error, context));
  const { pathname } = context.url;
  const isApi = pathname === "/v1" || pathname.startsWith("/v1/");
  const rate = isApi ? await rateOfKey(context, authorizers) : undefined;
  if (!rate) return response;
  setRateHeaders(response, rate);
  // A shared cache must not give these headers to other callers.
  response.headers.set("Cache-Control", "no-store");
  return response;
}

/**
 * Reads the rate of the request's key. Returns undefined without a valid key, or if the database is
 * unavailable.
 */
async function rateOfKey(
  { request, record }: RequestContext,
  authorizers: Authorizers,
): Promise<RateState | undefined> {
  try {
    const caller = await authorizers.apiKey(request);
    record.caller = caller;
    return await readRateState(caller.account);
  } catch {
    return undefined;
  }
}

function setRateHeaders(response: Response, rate: RateState): void {
  for (const [name, value] of Object.entries(rateHeaders(rate))) response.headers.set(name, value);
}
