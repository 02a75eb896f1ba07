import { NextRequest } from "next/server";
import { z } from "zod";
import { defineEndpoint } from "#lib/api/definition/define-endpoint.ts";
import type { RequestContext } from "#lib/api/definition/endpoint.ts";
import { readBytes, readJson } from "#lib/api/http/body.ts";
import { callNextAuth } from "#lib/auth/next-auth/next-auth.ts";
import { classifyOrigin, safeRedirectPath } from "#lib/auth/origin.ts";
import { RequestError } from "#lib/errors.ts";

/** The actions of NextAuth that are reachable. Its log is not: anyone could write into our logs. */
const actions = ["csrf", "providers", "session", "signin", "signout", "callback", "error"];

/** What all endpoints of NextAuth have in common. */
const shared = {
  path: "/api/auth/{nextauth+}",
  tag: "Account",
  internal: true,
  access: "public",
  params: z.strictObject({ nextauth: z.string() }),
  responses: { 200: { description: "The response of NextAuth.", content: {} } },
  errors: ["not_found", "forbidden"],
  handler: handleAuth,
} as const;

export const readAuth = defineEndpoint({
  ...shared,
  method: "GET",
  operationId: "readAuth",
  summary: "Read a page or the state of a sign-in.",
});

export const submitAuth = defineEndpoint({
  ...shared,
  method: "POST",
  operationId: "submitAuth",
  summary: "Sign in or out.",
});

/** Passes a request to NextAuth, after the checks that NextAuth lacks. */
async function handleAuth({
  request,
  url,
  params,
}: RequestContext & { readonly params: { readonly nextauth: string } }): Promise<Response> {
  const segments = params.nextauth.split("/");
  if (!actions.includes(segments[0] ?? "")) {
    throw new RequestError("not_found", "This path does not exist.");
  }
  const target = new URL(url);
  const { searchParams } = target;
  // NextAuth responds 500 to a URL that it cannot parse.
  const callback = searchParams.get("callbackUrl");
  if (callback !== null) searchParams.set("callbackUrl", safeRedirectPath(callback));
  const response = await callNextAuth(await toNextRequest(request, target), segments);
  response.headers.set("Cache-Control", "no-store");
  response.headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  return response;
}

/** The request as NextAuth reads it. A write must come from a page of this service. */
async function toNextRequest(request: Request, target: URL): Promise<NextRequest> {
  if (request.method !== "POST") return new NextRequest(target);
  if (classifyOrigin(request.headers) === "cross-origin") {
    const message = "This request did not come from a page of this service.";
    throw new RequestError("forbidden", message);
  }
  const isJson = /^application\/json\b/i.test(request.headers.get("content-type") ?? "");
  const given = isJson
    ? Object.entries(await readJson(request))
    : [...new URLSearchParams((await readBytes(request)).toString())];
  const fields = given.map(([name, value]): [string, string] => [name, String(value)]);
  return new NextRequest(target, { method: "POST", body: new URLSearchParams(fields) });
}
