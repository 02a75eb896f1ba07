import { type NextRequest, NextResponse } from "next/server";
import { requestIdHeader, requestIdOf } from "#lib/api/http/request-id.ts";
import { classifyOrigin, requestPathHeader } from "#lib/auth/origin.ts";
import {
  isMisdirected,
  misdirectedPage,
  misdirectedPageHeaders,
  misdirectedStatus,
} from "#lib/hosts/misdirected.ts";
import { nonceHeader, pageHeaders, responseHeaders } from "#lib/page-headers.ts";
import { isApiPath, isDecodable, undecodableMessage } from "#lib/request-path.ts";

/**
 * The Next.js proxy file: runs before pages. Never before routes that take uploads, because Next.js keeps
 * the bodies of these requests in memory and truncates them at 10 MB. No access control depends on it:
 * pages and actions check each request again. The second pattern is a path with an escape that is not
 * UTF-8, under which there is no route: Next.js alone would respond with its own 500.
 */
export const config = {
  matcher: [
    "/((?!(?:packages/|(?:i|t|v1|mcp|files|uploads|hooks|api|dashboard/api|try|pdfjs|openapi\\.json|status\\.json|healthz|readyz|metrics|_next)(?:/|$))).*)",
    "/((?!(?:[^%]|%[0-7][0-9A-Fa-f]|%(?:[Cc][2-9A-Fa-f]|[Dd][0-9A-Fa-f])%[89ABab][0-9A-Fa-f]|%[Ee](?:0%[ABab]|[1-9A-Ca-cE-Fe-f]%[89ABab]|[Dd]%[89])[0-9A-Fa-f]%[89ABab][0-9A-Fa-f]|%[Ff](?:0%[9ABab]|[1-3]%[89ABab]|4%8)[0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f])(?:%[89ABab][0-9A-Fa-f]))*$).*)",
  ],
};

/**
 * Sets a page's Content-Security-Policy and path headers, and rejects writes from other sites. Rejects
 * other hosts and invalid paths too, for servers that run only Next.js: `lib/server` has done so before.
 */
export function proxy(request: NextRequest): NextResponse {
  const requestId = requestIdOf(request);
  const response = respond(request, requestId);
  response.headers.set(requestIdHeader, requestId);
  for (const [name, value] of Object.entries(responseHeaders)) response.headers.set(name, value);
  return response;
}

function respond(request: NextRequest, requestId: string): NextResponse {
  if (isMisdirected(request.headers)) {
    const init = { status: misdirectedStatus, headers: misdirectedPageHeaders };
    return new NextResponse(misdirectedPage, init);
  }
  if (!isDecodable(request.nextUrl.pathname)) return rejectPath(request.nextUrl.pathname);
  const isWrite = request.method !== "GET" && request.method !== "HEAD";
  if (isWrite && classifyOrigin(request.headers) === "cross-origin") {
    const message = "This request must come from a page of this service.";
    return new NextResponse(message, { status: 403, headers: { "Content-Type": "text/plain" } });
  }
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const headers = pageHeaders(nonce);
  // The results that accounts share are for those who have the link.
  if (request.nextUrl.pathname.startsWith("/r/")) headers["X-Robots-Tag"] = "noindex, nofollow";
  const requestHeaders = new Headers(request.headers);
  requestHeaders.set(requestIdHeader, requestId);
  requestHeaders.set(nonceHeader, nonce);
  requestHeaders.set(requestPathHeader, `${request.nextUrl.pathname}${request.nextUrl.search}`);
  // Next.js reads the nonce for its own scripts from this header.
  requestHeaders.set("Content-Security-Policy", headers["Content-Security-Policy"] ?? "");
  return NextResponse.next({ request: { headers: requestHeaders }, headers });
}

/**
 * Rejects a path as `lib/server` rejects such a path of the API; a page's response is plain text.
 */
function rejectPath(path: string): NextResponse {
  const headers = { "Cache-Control": "no-store" };
  if (!isApiPath(path)) {
    const text = { ...headers, "Content-Type": "text/plain" };
    return new NextResponse(undecodableMessage, { status: 400, headers: text });
  }
  const init = { status: 400, headers: { ...headers, "X-Error-Code": "invalid_request" } };
  return NextResponse.json({ error: undecodableMessage }, init);
}
