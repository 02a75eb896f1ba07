import { NextRequest } from "next/server";
import { callNextAuth } from "#lib/auth/next-auth.ts";
import { ownPath, provenanceOf } from "#lib/auth/origin.ts";
import { RequestError } from "#lib/errors.ts";
import { readBytes, readJson } from "./http/body.ts";
import type { RequestContext } from "./http/route.ts";

/** What of NextAuth is reachable; not its log, which would let anybody write into ours. */
const actions = ["csrf", "providers", "session", "signin", "signout", "callback", "error"];

/** Everything under `/api/auth`, answered by NextAuth; what it must not see is refused before. */
export async function answerAuth({ request, url, params }: RequestContext): Promise<Response> {
  const segments = (params.nextauth ?? "").split("/");
  if (!actions.includes(segments[0] ?? "")) {
    throw new RequestError("not_found", "There is nothing at this path.");
  }
  const target = new URL(url);
  const { searchParams } = target;
  // NextAuth answers 500 to an address that it cannot parse.
  const callback = searchParams.get("callbackUrl");
  if (callback !== null) searchParams.set("callbackUrl", ownPath(callback));
  const response = await callNextAuth(await withFields(request, target), segments);
  response.headers.set("Cache-Control", "no-store");
  response.headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  return response;
}

/** The request as NextAuth takes it: a write comes from our own pages, and is a few short fields. */
async function withFields(request: Request, target: URL): Promise<NextRequest> {
  if (request.method !== "POST") return new NextRequest(target);
  if (provenanceOf(request.headers) === "foreign") {
    throw new RequestError("forbidden", "This can only be done from the service's own pages.");
  }
  const isJson = /^application\/json\b/i.test(request.headers.get("content-type") ?? "");
  const given = isJson
    ? Object.entries(await readJson(request))
    : [...new URLSearchParams((await readBytes(request)).toString())];
  const fields = given.map(([name, value]): [string, string] => [name, String(value)]);
  return new NextRequest(target, { method: "POST", body: new URLSearchParams(fields) });
}
