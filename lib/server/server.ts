import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { registerMessage } from "#lib/api/http/incoming-message.ts";
import { requestIdHeader } from "#lib/api/http/request-id.ts";
import { env } from "#lib/env.ts";
import { createId } from "#lib/ids.ts";
import { callerAddress } from "#lib/net/caller-address.ts";
import { responseHeaders } from "#lib/page-headers.ts";
import { restoreBodyLength } from "./body-length.ts";
import { trackConnections } from "./connections.ts";
import { continueOnFirstRead, hasBody } from "./expect-continue.ts";
import { enableLingeringClose } from "./lingering-close.ts";
import { rejectMalformedRequest, rejectUnparsableRequest } from "./malformed-requests.ts";
import { defaultBodyTimes, limitBodyTime } from "./slow-bodies.ts";

/**
 * An HTTP server that rejects malformed requests itself and passes all others to `handle`. With `anyHost`, they may
 * be for any host, as inside a network of containers.
 */
export function createWebServer(
  handle: RequestListener,
  bodyTimes = defaultBodyTimes,
  { anyHost = false }: { readonly anyHost?: boolean } = {},
): Server {
  const server = createServer({
    // `limitBodyTime` limits bodies: an upload may take any time in total.
    requestTimeout: 0,
    headersTimeout: 60_000,
    // Most reverse proxies close an idle connection after a minute. They must close it first.
    keepAliveTimeout: 65_000,
    // Checked by `rejectMalformedRequest`, which sends our error format.
    requireHostHeader: false,
    // Only the development server has WebSockets. Without an upgrade the request is an ordinary one: some
    // clients offer HTTP/2 in their first request. Next.js would leave its connection open for ever.
    shouldUpgradeCallback: () => env.NODE_ENV === "development",
  });
  trackConnections(server);
  const respond = (request: IncomingMessage, response: ServerResponse, limitBody: () => void) => {
    enableLingeringClose(request, response);
    assignRequestId(request, response);
    setCallerAddress(request);
    removeForwardedHost(request);
    if (!anyHost && rejectMalformedRequest(request, response)) return;
    limitBody();
    restoreBodyLength(response);
    handle(request, response);
  };
  const respondAtOnce: RequestListener = (request, response) =>
    respond(request, response, () => limitBodyTime(request, response, bodyTimes));
  server.on("request", respondAtOnce);
  server.on("checkContinue", (request, response) => {
    if (!hasBody(request)) return respondAtOnce(request, response);
    continueOnFirstRead(request, response, () => limitBodyTime(request, response, bodyTimes));
    respond(request, response, () => {});
  });
  // Without a listener, Node.js rejects expectations that it does not know.
  server.on("checkExpectation", respondAtOnce);
  server.on("clientError", rejectUnparsableRequest);
  return server;
}

/** Sets the headers of every response, pages included. Routes use the same request id in their logs. */
function assignRequestId(request: IncomingMessage, response: ServerResponse): void {
  const id = createId("req");
  request.headers[requestIdHeader] = id;
  registerMessage(id, request);
  response.setHeader("X-Request-Id", id);
  for (const [name, value] of Object.entries(responseHeaders)) response.setHeader(name, value);
}

/** Without a trusted proxy, anyone can write X-Forwarded-Host, which Next.js would compare to the origin. */
function removeForwardedHost({ headers }: IncomingMessage): void {
  if (env.TRUST_PROXY === 0) delete headers["x-forwarded-host"];
}

/** Reduces X-Forwarded-For to one address: the caller's, as reported by the trusted reverse proxies. */
function setCallerAddress(request: IncomingMessage): void {
  const { headers, socket } = request;
  const forwardedFor = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const remote = socket.remoteAddress ?? "";
  headers["x-forwarded-for"] = callerAddress(remote, forwardedFor, env.TRUST_PROXY);
}
