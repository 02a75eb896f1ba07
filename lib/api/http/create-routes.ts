import { isMisdirected } from "#lib/hosts/misdirected.ts";
import { log } from "#lib/log.ts";
import {
  type Endpoint,
  type Method,
  methods,
  type RequestContext,
} from "../definition/endpoint.ts";
import { noParameters, noQuery } from "../definition/parameters.ts";
import { methodOverrideHeader } from "../definition/request-headers.ts";
import { withRequestSpan } from "../request-log/request-span.ts";
import { isBodyOpened, isReceivingBody } from "./body.ts";
import { type Authorizers, authorize, requireConfirmedEmail } from "./callers/authorize.ts";
import { withDatabaseWatchdog } from "./database-watchdog.ts";
import { errorResponse, methodNotAllowed, misdirected, unknownPath } from "./error-response.ts";
import { respondToPublic, respondWithinRate } from "./rate-headers.ts";
import { requestIdOf } from "./request-id.ts";
import { finishResponse } from "./response-headers.ts";
import { respondToOptions, shareWithPage } from "./token-origins.ts";
import { parsePathParams, parseQuery, readJsonBody, toResponse } from "./validate.ts";

type PathParams = Record<string, string | string[]>;

/** A route handler of Next.js. A path without placeholders has no params at all. */
export type RouteHandler = (
  request: Request,
  context: { readonly params: Promise<PathParams | undefined> },
) => Promise<Response>;

export type RouteHandlers = Readonly<Record<Method, RouteHandler>>;

/**
 * Makes the function that turns endpoints into the route handlers of their path. The handlers enforce
 * what the definitions say: caller, scope, rate limit, parameters and body. They turn thrown errors
 * into error responses. Methods without an endpoint get 405; a path without endpoints is a 404, and so
 * is one with a slash at its end, unless the endpoints have it. `onRequest` is called at the start of
 * each request, and `suggestPaths` finds what an unknown path was probably meant to be.
 */
export function createRoutes(
  authorizers: Authorizers,
  onRequest: () => void = () => {},
  suggestPaths: (path: string) => readonly string[] = () => [],
): (...endpoints: readonly Endpoint[]) => RouteHandlers {
  return (...endpoints) => {
    const table = new Map(endpoints.map((endpoint) => [endpoint.method, endpoint]));
    const get = table.get("GET");
    if (get && !table.has("HEAD")) table.set("HEAD", get);
    const path = endpoints[0]?.path;
    const hasSlash = endsWithSlash(path ?? "");
    const allow = methods.filter((method) => table.has(method) || method === "OPTIONS").join(", ");
    const respond = (method: Method, context: RequestContext, params: PathParams = {}) => {
      const isKnown = path !== undefined && endsWithSlash(context.url.pathname) === hasSlash;
      const endpoint = isKnown ? table.get(method) : undefined;
      const given = joinSegments(params);
      if (endpoint) return call(endpoint, context, given, authorizers);
      const respondWithout = async () => {
        if (!isKnown) throw unknownPath(suggestPaths(context.url.pathname));
        for (const one of endpoints) requireVariant(one, given);
        if (method === "OPTIONS") return respondToOptions(allow, endpoints, context, authorizers);
        throw methodNotAllowed(method, allow);
      };
      if (method === "OPTIONS") return respondWithout();
      return respondToPublic(context, authorizers, respondWithout);
    };
    const handler =
      (method: Method): RouteHandler =>
      async (request, { params }) => {
        const effective = effectiveMethod(method, request, table);
        const startedAt = Date.now();
        onRequest();
        const requestId = requestIdOf(request);
        const context = { request, requestId, url: new URL(request.url), record: {} };
        return withRequestSpan(effective, path, context, async () => {
          // `lib/server` has rejected such requests; this is for servers that run only Next.js.
          const response = isMisdirected(request.headers)
            ? misdirected()
            : await watch(request, async () => respond(effective, context, await params)).catch(
                (error) => errorResponse(error, context),
              );
          await shareWithPage(response, table.get(effective), context, authorizers).catch((err) => {
            log.warn({ err, request_id: requestId }, "origin of a browser token not checked");
          });
          return finishResponse(effective, context, response, startedAt);
        });
      };
    // Every method gets a handler here.
    return Object.fromEntries(methods.map((method) => [method, handler(method)])) as RouteHandlers;
  };
}

/** The method of a request, or that which it names because its client can only send POST. */
function effectiveMethod(
  method: Method,
  { headers }: Request,
  table: ReadonlyMap<Method, Endpoint>,
): Method {
  const named = method === "POST" ? headers.get(methodOverrideHeader) : null;
  const override = methods.find((one) => one === named?.trim().toUpperCase());
  return override && table.get(override)?.takesMethodOverride ? override : method;
}

/** Calls an endpoint's handler with validated parameters, in the order access, rate limit, request. */
async function call(
  endpoint: Endpoint,
  context: RequestContext,
  pathParams: Readonly<Record<string, string>>,
  authorizers: Authorizers,
): Promise<Response> {
  const caller = await authorize(endpoint, context, pathParams, authorizers);
  if (endpoint.createsWork && "account" in caller) requireConfirmedEmail(caller.account);
  const respond = async () => {
    const params = parsePathParams(endpoint.params, pathParams);
    const query = parseQuery(queryOf(endpoint), context.url);
    const body = await readJsonBody(endpoint.body, context);
    const result = await endpoint.handler({ ...context, ...caller, params, query, body });
    return toResponse(result, endpoint.responses);
  };
  if (!("account" in caller)) return respondToPublic(context, authorizers, respond);
  return respondWithinRate(caller.account, endpoint, context, respond);
}

/** Under /v1, a name in the query is an error also where an endpoint takes none. A link has its signature there. */
function queryOf({ access, path, query, body }: Endpoint): Endpoint["query"] {
  if (query || access === "signedLink" || !path.startsWith("/v1/")) return query;
  return body ? noQuery : noParameters;
}

/** Throws 404 if an endpoint that stands for several paths, its variants, has none with these parameters. */
function requireVariant(
  { variants, params }: Endpoint,
  given: Readonly<Record<string, string>>,
): void {
  if (variants) parsePathParams(params, given);
}

/**
 * A file may take longer to arrive than the watchdog's timeout, and needs no database meanwhile. That of a PUT is
 * exempt until the end: after a 503 it may still be stored, and could not be sent again.
 */
function watch(request: Request, work: () => Promise<Response>): Promise<Response> {
  const type = request.headers.get("content-type") ?? "";
  const hasFiles = /^(?:multipart\/|application\/offset\+octet-stream)/i.test(type);
  const isExempt = () =>
    request.method === "PUT" ? isBodyOpened(request) : hasFiles && isReceivingBody(request);
  return withDatabaseWatchdog(request, work(), isExempt);
}

const endsWithSlash = (path: string) => path.endsWith("/");

function joinSegments(params: PathParams): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, [value].flat().join("/")]),
  );
}
