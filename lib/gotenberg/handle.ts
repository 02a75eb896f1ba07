import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { Method, RequestContext } from "#lib/api/definition/endpoint.ts";
import { withDatabaseWatchdog } from "#lib/api/http/database-watchdog.ts";
import { requestIdOf } from "#lib/api/http/request-id.ts";
import { bodyLengthHeader } from "#lib/api/http/send-file.ts";
import { recordRequest } from "#lib/api/request-log/request-log.ts";
import { withRequestSpan } from "#lib/api/request-log/request-span.ts";
import { log } from "#lib/log.ts";
import { type EntryPort, findCaller, requireBasicAuth } from "./authenticate.ts";
import { statusError } from "./base/errors.ts";
import { type GotenbergSettings, gotenbergSettings } from "./base/settings.ts";
import type { GotenbergCall } from "./call.ts";
import { convert } from "./convert.ts";
import { routes } from "./plan/routes.ts";
import { attachmentHeader } from "./run/deliver.ts";
import { errorResponse, textResponse } from "./run/error-response.ts";
import {
  debugResponse,
  gotenbergVersion,
  healthResponse,
  metricsResponse,
  rootPage,
} from "./run/service-pages.ts";

/** Whether a path of the main port belongs to Gotenberg's API. */
export function isGotenbergPath(path: string): boolean {
  return path.startsWith("/forms/");
}

/** Responds to a request of a client of Gotenberg. Never throws. */
export async function handleGotenberg(request: Request, port: EntryPort): Promise<Response> {
  const startedAt = Date.now();
  const settings = gotenbergSettings();
  const url = new URL(request.url);
  const requestId = requestIdOf(request);
  const context: RequestContext = { request, requestId, url, record: {} };
  const trace = request.headers.get(settings.traceHeader) || randomUUID();
  // The methods of a request are checked where it is routed.
  const method = request.method as Method;
  const jobs: string[] = [];
  const path = routePath(url, port, settings);
  const route = path === undefined ? undefined : `/${path}`;
  const response = await withRequestSpan(method, route, context, async () => {
    try {
      if (path === undefined) throw statusError(404);
      const call = {
        context,
        port,
        settings,
        trace,
        startedAt,
        onJob: (id: string) => jobs.push(id),
      };
      return await respond(path, call);
    } catch (error) {
      return errorResponse(error, context);
    }
  });
  if (isSafeHeader(trace)) response.headers.set(settings.traceHeader, trace);
  response.headers.set("X-Request-Id", requestId);
  response.headers.set("X-Content-Type-Options", "nosniff");
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  const fields = { request_id: requestId, correlation_id: trace, method, status: response.status };
  if (!isUnlogged(path, settings)) {
    const duration = Date.now() - startedAt;
    log.info(
      { ...fields, path: url.pathname, duration_ms: duration, job: jobs.at(-1) },
      "request handled",
    );
  }
  recordRequest(method, context, response, { startedAt, job: jobs.at(-1) });
  if (method !== "HEAD") return response;
  await response.body?.cancel();
  return new Response(null, response);
}

function isUnlogged(path: string | undefined, { unlogged, metrics }: GotenbergSettings): boolean {
  if (path === "") return unlogged.has("root");
  if (path === "health" || path === "version" || path === "debug") return unlogged.has(path);
  return `/${path}` === metrics.path && unlogged.has("metrics");
}

async function respond(path: string, call: GotenbergCall): Promise<Response> {
  const { context, port, settings } = call;
  const { method } = context.request;
  const route = routes.get(path);
  if (route && !settings.disabled.has(route.group)) {
    if (method !== "POST") throw statusError(405);
    // What follows waits for the database: it cannot be given up without its job being created nevertheless.
    const caller = await withDatabaseWatchdog(
      context.request,
      findCaller(context.request, port, settings),
    );
    context.record.caller = caller;
    return respondToForm({ route, path }, caller, call);
  }
  if (port === "main") throw statusError(404);
  const page = servicePage(path, call);
  if (!page) throw statusError(404);
  if (method !== "GET" && !(method === "HEAD" && path === "health")) throw statusError(405);
  return page();
}

/** The pages of the port that convert nothing. */
function servicePage(path: string, call: GotenbergCall): (() => Promise<Response>) | undefined {
  const { context, port, settings } = call;
  const guarded = (make: () => Response) => async () => {
    requireBasicAuth(context.request, port, settings);
    return make();
  };
  if (path === "health") return healthResponse;
  if (path === "") {
    const headers = { "Content-Type": "text/html; charset=UTF-8" };
    return guarded(() => new Response(rootPage, { headers }));
  }
  if (path === "favicon.ico") return guarded(() => new Response(null, { status: 204 }));
  if (path === "version") return guarded(() => textResponse(200, gotenbergVersion));
  const { debug, metrics } = settings;
  if (path === "debug" && debug.isEnabled) return guarded(() => debugResponse(debug.flags));
  if (!metrics.isDisabled && `/${path}` === metrics.path) {
    return guarded(() => metricsResponse(metrics.namespace));
  }
  return undefined;
}

async function respondToForm(
  route: Parameters<typeof convert>[0],
  caller: Awaited<ReturnType<typeof findCaller>>,
  call: GotenbergCall,
): Promise<Response> {
  const answer = await convert(route, caller, call);
  if (answer.kind === "accepted") return new Response(null, { status: 204 });
  if (answer.kind === "json") return Response.json(answer.value);
  const { delivery, release } = answer;
  const headers = new Headers({
    "Content-Type": delivery.contentType,
    "Content-Disposition": attachmentHeader(delivery.filename),
  });
  if (delivery.bytes !== undefined) headers.set(bodyLengthHeader, String(delivery.bytes));
  const content = await delivery.open();
  content.once("close", () => void release?.());
  // Node and the DOM type the same web stream differently.
  const body = Readable.toWeb(content) as ReadableStream;
  return new Response(body, { headers });
}

/** The path below the root path; undefined for one outside. */
function routePath({ pathname }: URL, port: EntryPort, { rootPath }: GotenbergSettings) {
  const root = port === "own" ? rootPath : "/";
  return pathname.startsWith(root) ? pathname.slice(root.length) : undefined;
}

function isSafeHeader(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
