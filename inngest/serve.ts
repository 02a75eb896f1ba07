import { serve } from "inngest/edge";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { webApp } from "./client.ts";
import { createSweep } from "./sweep.ts";

const client = webApp();
const handle = serve({
  client,
  functions: [createSweep(client)],
  // Else anyone could make this host register itself.
  enableUnauthedSync: false,
});

/**
 * Answers Inngest's calls to the web app, whose only function is the sweep: for hosts without a
 * runner that stays. Throws 401 for every call that Inngest has not signed with our key, and so for
 * all of them where no key is set.
 */
export async function answerInngest(request: Request, body: Uint8Array): Promise<Response> {
  const response = isSigned(request) ? await answerSigned(request, body) : undefined;
  if (!response || response.status === 401) {
    throw new RequestError("unauthorized", "The call is not signed with this service's key.");
  }
  return response;
}

/** By whom, the SDK finds out. */
function isSigned(request: Request): boolean {
  return Boolean(client.signingKey) && request.headers.has("x-inngest-signature");
}

async function answerSigned(request: Request, body: Uint8Array): Promise<Response | undefined> {
  const { method, headers } = request;
  const content = body.length > 0 ? { body: new Uint8Array(body) } : {};
  try {
    return await handle(new Request(addressOf(request), { method, headers, ...content }));
  } catch (error) {
    // What is not JSON was not signed by Inngest either.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Where Inngest reached us, and so where it will again: Next.js tells only the address that it
 * listens on, and none of what a proxy in front speaks.
 */
function addressOf(request: Request): URL {
  const url = new URL(request.url);
  const own = new URL(env.APP_URL);
  url.host = request.headers.get("host") ?? own.host;
  if (url.host === own.host) url.protocol = own.protocol;
  return url;
}
