import { log } from "#lib/log.ts";
import { redactPath } from "#lib/net/redact-url.ts";
import type { Method, RequestContext } from "../definition/endpoint.ts";
import { recordRequest } from "../request-log/request-log.ts";
import { jobIdOf } from "../request-log/request-span.ts";

/** Adds the headers of every response, logs the request, and drops the body of a HEAD request. */
export async function finishResponse(
  method: Method,
  context: RequestContext,
  response: Response,
  startedAt: number,
): Promise<Response> {
  response.headers.set("X-Request-Id", context.requestId);
  response.headers.set("X-Content-Type-Options", "nosniff");
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  const job = jobIdOf(context.url, response);
  logRequest(method, context, response, startedAt, job);
  recordRequest(method, context, response, { startedAt, job });
  if (method !== "HEAD") return response;
  // Closes the files and timers behind the body.
  await response.body?.cancel();
  return new Response(null, response);
}

function logRequest(
  method: Method,
  { requestId, url }: RequestContext,
  response: Response,
  startedAt: number,
  job: string | undefined,
): void {
  const fields = {
    request_id: requestId,
    job,
    method,
    status: response.status,
    path: redactPath(url.pathname),
    duration_ms: Date.now() - startedAt,
  };
  log.info(fields, "request handled");
}
