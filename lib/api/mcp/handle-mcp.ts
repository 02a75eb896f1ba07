import { createMcpHandler } from "@modelcontextprotocol/server";
import { classifyOrigin } from "#lib/auth/origin.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { isMisdirected } from "#lib/hosts/misdirected.ts";
import { log } from "#lib/log.ts";
import { addressIn } from "#lib/net/caller-address.ts";
import { createMcpServer } from "#packages/mcp/src/server.ts";
import { Client } from "#packages/sdk/src/client.ts";
import { readBytes } from "../http/body.ts";
import { authenticate } from "../http/callers/authenticate.ts";
import { bearerToken } from "../http/callers/credential.ts";
import { withDatabaseWatchdog } from "../http/database-watchdog.ts";
import { errorResponse, misdirected, unknownPath } from "../http/error-response.ts";
import { requireFewEntries } from "../http/json-text.ts";
import { requestIdOf } from "../http/request-id.ts";
import { withRequestSpan } from "../request-log/request-span.ts";
import { dispatch } from "./dispatch.ts";

/** A call's JSON; files are sent to uploads. */
const maxRequestBodySize = 1024 * 1024;

const handler = createMcpHandler(({ requestInfo }) => createMcpServer(clientOf(requestInfo)), {
  maxRequestBodySize,
  onerror: (err) => log.info({ err }, "MCP request failed"),
});

/** A client of the API with the key of the request. */
function clientOf(request: Request | undefined): Client {
  const apiKey = request && keyOf(request);
  if (!apiKey) throw new Error("an MCP request without an API key");
  const address = addressIn(request.headers);
  const fetch = (input: RequestInfo | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    // The log of requests has the address of the caller.
    if (address) headers.set("x-forwarded-for", address);
    return dispatch(input, { ...init, headers });
  };
  return new Client({ apiKey, baseUrl: env.APP_URL, fetch, maxRetries: 0 });
}

/** The request with its whole body. Throws `too_large` above 1 MiB, and for JSON that takes long to parse. */
async function withBody(request: Request): Promise<Request> {
  const { url, method, headers, signal } = request;
  if (method !== "POST") return request;
  const body = await readBytes(request);
  requireFewEntries(body.toString("latin1"));
  return new Request(url, { method, headers, signal, body: new Uint8Array(body) });
}

const keyOf = (request: Request) => request.headers.get("x-api-key") ?? bearerToken(request);

/**
 * Handles `POST /mcp`, the Model Context Protocol over streamable HTTP, without sessions. Each call
 * has the API key of an account. Pages of other sites are rejected, and the key is checked before
 * the body is read.
 */
export async function handleMcp(request: Request): Promise<Response> {
  const requestId = requestIdOf(request);
  const context = { request, requestId, url: new URL(request.url) };
  const response = await withRequestSpan("POST", "/mcp", context, () =>
    respond(request, requestId),
  );
  response.headers.set("X-Request-Id", requestId);
  response.headers.set("X-Content-Type-Options", "nosniff");
  return response;
}

async function respond(request: Request, requestId: string): Promise<Response> {
  if (isMisdirected(request.headers)) return misdirected();
  try {
    if (new URL(request.url).pathname.endsWith("/")) throw unknownPath();
    if (classifyOrigin(request.headers) === "cross-origin") {
      const message = "This request must not come from a page of another site.";
      throw new RequestError("forbidden", message);
    }
    await withDatabaseWatchdog(request, authenticate(request));
    return await handler.fetch(await withBody(request));
  } catch (error) {
    return errorResponse(error, { requestId });
  }
}
