import { serve } from "inngest/edge";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { webApp } from "./client.ts";
import { createSweep } from "./sweep.ts";

const client = webApp();
const handle = serve({
  client,
  functions: [createSweep(client)],
  // Otherwise anyone could make this host register itself.
  enableUnauthedSync: false,
});

/**
 * Handles Inngest's requests to the web app, whose only function is the sweep, for deployments without
 * a permanent runner. Throws 401 for every request that Inngest has not signed with this service's key,
 * and therefore for all requests if no key is set.
 */
export async function handleInngestRequest(request: Request, body: Uint8Array): Promise<Response> {
  const response = hasSignature(request) ? await handleSigned(request, body) : undefined;
  if (!response || response.status === 401) {
    const message = "The request must be signed by Inngest with this service's signing key.";
    throw new RequestError("unauthorized", message);
  }
  return response;
}

/** The SDK verifies the signature. */
function hasSignature(request: Request): boolean {
  return Boolean(client.signingKey) && request.headers.has("x-inngest-signature");
}

async function handleSigned(request: Request, body: Uint8Array): Promise<Response | undefined> {
  const { method, headers } = request;
  const content = body.length > 0 ? { body: new Uint8Array(body) } : {};
  try {
    return await handle(new Request(publicUrlOf(request), { method, headers, ...content }));
  } catch (error) {
    // A body that is not JSON was not signed by Inngest either.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The URL under which Inngest reached this service and will reach it again. Next.js only reports the
 * address that it listens on, and not the protocol of a proxy in front.
 */
function publicUrlOf(request: Request): URL {
  const url = new URL(request.url);
  const appUrl = new URL(env.APP_URL);
  url.host = request.headers.get("host") ?? appUrl.host;
  if (url.host === appUrl.host) url.protocol = appUrl.protocol;
  return url;
}
