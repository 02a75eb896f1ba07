import type { RequestContext } from "#lib/api/definition/endpoint.ts";
import { log } from "#lib/log.ts";
import { toGotenbergError } from "./explain-failure.ts";

/** The response to an error: its public text, and headers such as `Retry-After`. Only the log has the cause. */
export function errorResponse(
  error: unknown,
  { requestId, record }: Pick<RequestContext, "requestId" | "record">,
): Response {
  const failure = toGotenbergError(error);
  record.error = failure.message;
  if (failure.status >= 500) log.error({ err: error, request_id: requestId }, "request failed");
  const response = textResponse(failure.status, failure.message);
  for (const [name, value] of Object.entries(failure.headers)) response.headers.set(name, value);
  if (failure.status === 401) response.headers.set("WWW-Authenticate", "basic realm=Restricted");
  return response;
}

export function textResponse(status: number, text: string): Response {
  return new Response(text, { status, headers: { "Content-Type": "text/plain; charset=UTF-8" } });
}
