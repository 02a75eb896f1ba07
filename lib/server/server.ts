import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { requestIdHeader } from "#lib/api/http/request-id.ts";
import { env } from "#lib/env.ts";
import { createId } from "#lib/ids.ts";
import { callerAddress } from "#lib/net/caller-address.ts";
import { answerHeaders } from "#lib/page-headers.ts";
import { restoreBodyLength } from "./body-length.ts";
import { refuseMalformed, refuseUnreadable } from "./guard.ts";
import { lingerAfterAnswer } from "./lingering-close.ts";

/** An HTTP server that answers what is malformed by itself and leaves the rest to `handle`. */
export function createWebServer(handle: RequestListener): Server {
  const server = createServer({
    // An upload takes as long as it takes; headers do not.
    requestTimeout: 0,
    headersTimeout: 60_000,
    // Longer than the minute after which most proxies close an idle connection: they should do it.
    keepAliveTimeout: 65_000,
    // Refused all the same, but in our form of error.
    requireHostHeader: false,
  });
  server.on("request", (request, response) => {
    lingerAfterAnswer(request, response);
    nameRequest(request, response);
    nameCaller(request);
    if (refuseMalformed(request, response)) return;
    restoreBodyLength(response);
    handle(request, response);
  });
  server.on("clientError", refuseUnreadable);
  return server;
}

/** Pages and redirects carry what every answer does; our routes take the id over for their logs. */
function nameRequest(request: IncomingMessage, response: ServerResponse): void {
  const id = createId("req");
  request.headers[requestIdHeader] = id;
  response.setHeader("X-Request-Id", id);
  for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value);
}

/** Leaves one address there: the caller's, as far as the proxies that are trusted know it. */
function nameCaller(request: IncomingMessage): void {
  const { headers, socket } = request;
  const claimed = [headers["x-forwarded-for"] ?? []].flat().join(",");
  headers["x-forwarded-for"] = callerAddress(socket.remoteAddress ?? "", claimed, env.TRUST_PROXY);
}
