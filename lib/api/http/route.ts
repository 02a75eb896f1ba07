import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { internalMessage, RequestError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { type RateState, rateHeaders, readRate, requireRate } from "#lib/quotas/rate-limit.ts";
import { isUnavailable } from "#lib/unavailable.ts";
import { authenticate } from "./authenticate.ts";
import { unlessSilent } from "./database-watchdog.ts";
import { requestIdOf } from "./request-id.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof methods)[number];

export interface RequestContext {
  readonly request: Request;
  readonly requestId: string;
  readonly url: URL;
  /** What the path's placeholders stand for. */
  readonly params: Readonly<Record<string, string>>;
}

export interface KeyedContext extends RequestContext {
  /** The account whose request it is. */
  readonly account: Account;
}

export type Endpoint = (context: RequestContext) => Promise<Response>;

/**
 * An endpoint that needs a valid key. `createsWork`: refused before its body is read where the
 * account's minute is full; it counts in that minute once it has made its job.
 */
export function keyed(
  handle: (context: KeyedContext) => Promise<Response>,
  { createsWork = false } = {},
): Endpoint {
  return async (context) =>
    answerFor(await authenticate(context.request), context, handle, createsWork);
}

/** The answer to an account, within its plan's requests a minute. */
export async function answerFor(
  account: Account,
  context: RequestContext,
  handle: (context: KeyedContext) => Promise<Response>,
  createsWork: boolean,
): Promise<Response> {
  const answer = async () => {
    if (createsWork) requireRate(await readRate(account));
    return handle({ ...context, account });
  };
  const response = await answer().catch((error) => answerError(error, context.requestId));
  setRate(response, await readRate(account));
  return response;
}

/** An endpoint that needs no key, and yet tells the bearer of a valid one where the account stands. */
export function unkeyed(handle: Endpoint): Endpoint {
  return async (context) => {
    const { request, requestId, url } = context;
    const response = await handle(context).catch((error) => answerError(error, requestId));
    const state = url.pathname.startsWith("/v1") ? await rateOfBearer(request) : undefined;
    if (!state) return response;
    setRate(response, state);
    // Not what a cache may give to others.
    response.headers.set("Cache-Control", "no-store");
    return response;
  };
}

/** Undefined without a valid key, or where it cannot be told: the answer does not depend on it. */
async function rateOfBearer(request: Request): Promise<RateState | undefined> {
  try {
    return await readRate(await authenticate(request));
  } catch {
    return undefined; // no key, or no database
  }
}

function setRate(response: Response, state: RateState): void {
  for (const [name, value] of Object.entries(rateHeaders(state))) response.headers.set(name, value);
}

type NextHandler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[]> | undefined> },
) => Promise<Response>;

/**
 * The handlers of one path, for all methods: those not in `table` answer 405. Turns whatever an
 * endpoint throws into the one form of error, and gives every answer its request id.
 */
export function routes(table: Partial<Record<Method, Endpoint>>): Record<Method, NextHandler> {
  const head = table.HEAD ?? table.GET;
  const endpoints: Partial<Record<Method, Endpoint>> = head ? { ...table, HEAD: head } : table;
  const allow = methods.filter((name) => name in endpoints || name === "OPTIONS").join(", ");
  const handler = (method: Method): NextHandler => {
    const endpoint =
      endpoints[method] ?? (method === "OPTIONS" ? answerOptions(allow) : unkeyed(refuse(allow)));
    return async (request, { params }) => {
      const startedAt = Date.now();
      const requestId = requestIdOf(request);
      const url = new URL(request.url);
      const answer = async () =>
        endpoint({ request, requestId, url, params: plainParams(await params) });
      // A file on its way may outlast the silence: the database is needed at its end alone.
      const answered = bringsFile(request) ? answer() : unlessSilent(answer());
      const response = await answered.catch((error) => answerError(error, requestId));
      response.headers.set("X-Request-Id", requestId);
      response.headers.set("X-Content-Type-Options", "nosniff");
      if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
      const { status } = response;
      const fields = { request_id: requestId, job: jobOf(url, response), method, status };
      log.info({ ...fields, path: url.pathname, duration_ms: Date.now() - startedAt }, "request");
      if (method !== "HEAD") return response;
      // Whatever would have filled the body lets go of its files and timers.
      await response.body?.cancel();
      return new Response(null, response);
    };
  };
  // Every method has just been given a handler.
  return Object.fromEntries(methods.map((method) => [method, handler(method)])) as Record<
    Method,
    NextHandler
  >;
}

function bringsFile({ method, headers }: Request): boolean {
  return method === "PUT" || /^multipart\//i.test(headers.get("content-type") ?? "");
}

/** The job that a request is about, or that it made. */
function jobOf({ pathname }: URL, response: Response): string | undefined {
  return /job_[0-9A-Za-z]{24}/.exec(`${pathname} ${response.headers.get("location")}`)?.[0];
}

/** The answer to an error: its public sentence, its code, and the detail in the log alone. */
export function answerError(error: unknown, requestId: string): Response {
  const failure = toRequestError(error);
  if (failure.status >= 500) log.error({ err: error, request_id: requestId }, "request failed");
  return Response.json(
    { error: failure.message },
    { status: failure.status, headers: { ...failure.headers, "X-Error-Code": failure.code } },
  );
}

function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (!isDatabaseUnavailable(error) && !isUnavailable(error)) {
    return new RequestError("internal", internalMessage, { cause: error });
  }
  const sentence = "The service is briefly unavailable; please try again.";
  return new RequestError("unavailable", sentence, {
    cause: error,
    headers: { "Retry-After": "5" },
  });
}

/** Every method of a path that does not exist. */
export const answerUnknown = unkeyed(async () => {
  throw new RequestError("not_found", "There is nothing at this path; see GET /openapi.json.");
});

function answerOptions(allow: string): Endpoint {
  return async () => new Response(null, { status: 204, headers: { Allow: allow } });
}

function refuse(allow: string): Endpoint {
  return async ({ request }) => {
    throw new RequestError(
      "method_not_allowed",
      `${request.method} is not allowed here; allowed: ${allow}.`,
      {
        headers: { Allow: allow },
      },
    );
  };
}

/** A path without placeholders has no params at all. */
function plainParams(params: Record<string, string | string[]> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join("/") : value,
    ]),
  );
}
