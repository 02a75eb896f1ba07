import type { Endpoint, RequestContext } from "../definition/endpoint.ts";
import type { Authorizers } from "./callers/authorize.ts";
import { credentialOf } from "./callers/credential.ts";

/**
 * Which pages of other origins may send requests and read responses: those of the origin of a browser token, where
 * tokens are accepted, and those of any origin where the endpoint says so.
 */

/** Headers that a page with a token may send in addition to those that any page may send. */
const requestHeaders = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "Last-Event-ID",
  "Prefer",
  "X-API-Key",
  "X-Request-Id",
];

/** Headers of responses that a page with a token may read. */
const exposedHeaders = [
  "Idempotency-Replayed",
  "Link",
  "Location",
  "Preference-Applied",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  "X-Error-Code",
  "X-Request-Id",
  "X-Total-Count",
];

/** How long a browser may use the answer to a preflight request, in seconds. Tokens live for an hour at most. */
const maxAgeSeconds = 600;

/** The response to `OPTIONS`. To a CORS preflight of a page that may have a token, it says what the page may send. */
export async function respondToOptions(
  allow: string,
  endpoints: readonly Endpoint[],
  { request }: RequestContext,
  { isTokenOrigin }: Authorizers,
): Promise<Response> {
  const headers = new Headers({ Allow: allow });
  const origin = request.headers.get("origin");
  if (origin === null || !endpoints.some(isForTokens)) {
    return new Response(null, { status: 204, headers });
  }
  headers.set("Vary", "Origin");
  if (await isTokenOrigin(origin)) {
    headers.set("Access-Control-Allow-Origin", origin);
    headers.set("Access-Control-Allow-Methods", allow);
    headers.set("Access-Control-Allow-Headers", requestHeaders.join(", "));
    headers.set("Access-Control-Max-Age", String(maxAgeSeconds));
  }
  return new Response(null, { status: 204, headers });
}

/** Lets the page that sent a request read the response if it may, also a response that says that the token has ended. */
export async function shareWithPage(
  response: Response,
  endpoint: Endpoint | undefined,
  { request, record }: RequestContext,
  { isTokenOrigin }: Authorizers,
): Promise<void> {
  const { headers } = response;
  const origin = request.headers.get("origin");
  if (origin === null || headers.has("Access-Control-Allow-Origin")) return;
  if (endpoint?.anyOrigin) {
    headers.set("Access-Control-Allow-Origin", "*");
    headers.set("Access-Control-Expose-Headers", exposedHeaders.join(", "));
    return;
  }
  if (!endpoint || !isForTokens(endpoint)) return;
  headers.append("Vary", "Origin");
  const { caller } = record;
  const mayRead = caller
    ? caller.token?.origin === origin
    : credentialOf(request)?.startsWith("mm_token_") && (await isTokenOrigin(origin));
  if (!mayRead) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Expose-Headers", exposedHeaders.join(", "));
}

function isForTokens(endpoint: Endpoint): boolean {
  return endpoint.access === "apiKey" && endpoint.forTokens === true;
}
