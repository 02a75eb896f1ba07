import { createServer, type RequestListener, type Server } from "node:http";
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
    if (refuseMalformed(request, response)) return;
    restoreBodyLength(response);
    handle(request, response);
  });
  server.on("clientError", refuseUnreadable);
  return server;
}
