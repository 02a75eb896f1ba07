import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { internalMessage, RequestError } from "#lib/errors.ts";
import { misdirectedMessage, misdirectedStatus } from "#lib/hosts/misdirected.ts";
import { log } from "#lib/log.ts";
import { didYouMean } from "#lib/typos/suggest.ts";
import { isUnavailable } from "#lib/unavailable.ts";
import type { RequestContext, RequestRecord } from "../definition/endpoint.ts";
import { isFollowedLink, linkPage, linkPageHeaders } from "./link-page.ts";

/** What is known of a failed request. */
type FailedRequest = Pick<RequestContext, "requestId"> &
  Partial<Pick<RequestContext, "request" | "url">> & { readonly record?: RequestRecord };

/**
 * The response to an error: its public message and its code. Only the service's log has the cause. A browser that
 * follows a link to a file gets a page with the same status.
 */
export function errorResponse(
  error: unknown,
  { requestId, request, url, record }: FailedRequest,
): Response {
  const failure = toRequestError(error);
  if (record) record.error = failure.message;
  if (failure.status >= 500) log.error({ err: error, request_id: requestId }, "request failed");
  const { status } = failure;
  const headers = { ...failure.headers, "X-Error-Code": failure.code };
  if (request && url && isFollowedLink({ request, url })) {
    const page = linkPage(failure.code, url.pathname);
    return new Response(page, { status, headers: { ...headers, ...linkPageHeaders } });
  }
  return Response.json({ error: failure.message }, { status, headers });
}

function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (!isDatabaseUnavailable(error) && !isUnavailable(error)) {
    return new RequestError("internal", internalMessage, { cause: error });
  }
  return new RequestError("unavailable", "The service is briefly unavailable. Try again.", {
    cause: error,
    headers: { "Retry-After": "5" },
  });
}

/** The response to a request for another host; see `lib/hosts/allowed-hosts.ts`. */
export function misdirected(): Response {
  const headers = { "X-Error-Code": "invalid_request", "Cache-Control": "no-store" };
  return Response.json({ error: misdirectedMessage }, { status: misdirectedStatus, headers });
}

/** @param suggested paths that were probably meant */
export function unknownPath(suggested: readonly string[] = []): RequestError {
  const message = `This path does not exist.${didYouMean(suggested)} See GET /openapi.json.`;
  return new RequestError("not_found", message);
}

export function methodNotAllowed(method: string, allow: string): RequestError {
  const message = `The method ${method} is not allowed here. Allowed methods: ${allow}.`;
  return new RequestError("method_not_allowed", message, { headers: { Allow: allow } });
}
