import { type NextRequest, NextResponse } from "next/server";
import { provenanceOf, requestPathHeader } from "#lib/auth/origin.ts";
import { nonceHeader, pageHeaders } from "#lib/page-headers.ts";

/**
 * Pages alone, never what takes uploads: Next.js keeps the body of what passes through here in memory,
 * and cuts it off at 10 MB. It decides nothing that a page or an action does not decide again by itself.
 */
export const config = {
  matcher: [
    "/((?!(?:v1|files|uploads|api|dashboard/run|pdfjs|openapi\\.json|healthz|readyz|metrics|_next)(?:/|$)).*)",
  ],
};

/** Gives a page the policy of its scripts and its own path, and refuses writes from other sites. */
export function proxy(request: NextRequest): NextResponse {
  const isWrite = request.method !== "GET" && request.method !== "HEAD";
  if (isWrite && provenanceOf(request.headers) === "foreign") {
    const sentence = "This can only be done from the service's own pages.";
    return new NextResponse(sentence, { status: 403, headers: { "Content-Type": "text/plain" } });
  }
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const headers = pageHeaders(nonce);
  const sent = new Headers(request.headers);
  sent.set(nonceHeader, nonce);
  sent.set(requestPathHeader, `${request.nextUrl.pathname}${request.nextUrl.search}`);
  // Next.js looks for the nonce of its own scripts here.
  sent.set("Content-Security-Policy", headers["Content-Security-Policy"] ?? "");
  return NextResponse.next({ request: { headers: sent }, headers });
}
