import { createMcpHandler } from "@modelcontextprotocol/server";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { addressIn } from "#lib/net/caller-address.ts";
import { createMcpServer } from "#packages/mcp/src/server.ts";
import { Mediamill } from "#packages/sdk/src/index.ts";
import { authenticate, bearerToken } from "../http/authenticate.ts";
import { errorResponse } from "../http/error-response.ts";
import { requestIdOf } from "../http/request-id.ts";
import { dispatch } from "./dispatch.ts";

/** A call's JSON; files are sent to uploads. */
const maxRequestBodySize = 1024 * 1024;

const handler = createMcpHandler(({ requestInfo }) => createMcpServer(clientOf(requestInfo)), {
  maxRequestBodySize,
  onerror: (err) => log.info({ err }, "MCP request failed"),
});

/** A client of the API with the key of the request. */
function clientOf(request: Request | undefined): Mediamill {
  const apiKey = request && keyOf(request);
  if (!apiKey) throw new Error("an MCP request without an API key");
  const address = addressIn(request.headers);
  const fetch = (input: RequestInfo | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    // The log of requests has the address of the caller.
    if (address) headers.set("x-forwarded-for", address);
    return dispatch(input, { ...init, headers });
  };
  return new Mediamill({ apiKey, baseUrl: env.APP_URL, fetch, maxRetries: 0 });
}

const keyOf = (request: Request) => request.headers.get("x-api-key") ?? bearerToken(request);

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions. Each call has the API
 * key of an account. proxy.ts rejects pages of other sites.
 */
export async function handleMcp(request: Request): Promise<Response> {
  const requestId = requestIdOf(request);
  try {
    await authenticate(request);
    return await handler.fetch(request);
  } catch (error) {
    return errorResponse(error, { requestId });
  }
}
