import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { requestIdHeader } from "#lib/api/request-id.ts";
import { createId } from "#lib/ids.ts";
import { restoreBodyLength } from "./body-length.ts";
import { refuseMalformed, refuseUnreadable } from "./guard.ts";
import { lingerAfterAnswer } from "./linger.ts";

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
  response.setHeader("X-Content-Type-Options", "nosniff");
}
