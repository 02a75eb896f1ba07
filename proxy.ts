import { type NextRequest, NextResponse } from "next/server";
import { classifyOrigin, requestPathHeader } from "#lib/auth/origin.ts";
import {
  isMisdirected,
  misdirectedPage,
  misdirectedPageHeaders,
  misdirectedStatus,
} from "#lib/misdirected.ts";
import { nonceHeader, pageHeaders } from "#lib/page-headers.ts";

/**
 * The Next.js proxy file: runs before pages. Never before routes that take uploads, because Next.js keeps
 * the bodies of these requests in memory and truncates them at 10 MB. No access control depends on it:
 * pages and actions check each request again.
 */
export const config = {
  matcher: [
    "/((?!(?:v1|mcp|files|uploads|hooks|api|dashboard/api|try|pdfjs|openapi\\.json|status\\.json|healthz|readyz|metrics|_next)(?:/|$)).*)",
  ],
};

/**
 * Sets a page's Content-Security-Policy and path headers, and rejects writes from other sites. Rejects
 * other hosts too, for servers that run only Next.js: `lib/server` has done so before.
 */
export function proxy(request: NextRequest): NextResponse {
  if (isMisdirected(request.headers)) {
    const init = { status: misdirectedStatus, headers: misdirectedPageHeaders };
    return new NextResponse(misdirectedPage, init);
  }
  const isWrite = request.method !== "GET" && request.method !== "HEAD";
  if (isWrite && classifyOrigin(request.headers) === "cross-origin") {
    const message = "This request must come from a page of this service.";
    return new NextResponse(message, { status: 403, headers: { "Content-Type": "text/plain" } });
  }
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const headers = pageHeaders(nonce);
  const requestHeaders = new Headers(request.headers);
  requestHeaders.set(nonceHeader, nonce);
  requestHeaders.set(requestPathHeader, `${request.nextUrl.pathname}${request.nextUrl.search}`);
  // Next.js reads the nonce for its own scripts from this header.
  requestHeaders.set("Content-Security-Policy", headers["Content-Security-Policy"] ?? "");
  return NextResponse.next({ request: { headers: requestHeaders }, headers });
}
