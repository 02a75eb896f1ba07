import { createServer } from "node:http";
import next from "next";
import { env } from "#lib/env.ts";
import { startPart } from "./part.ts";
import { projectFolder } from "./setup/node24.mjs";
import { restoreBodyLength } from "./web/body-length.ts";
import { refuseMalformed, refuseUnreadable } from "./web/guard.ts";
import { closeGently } from "./web/shutdown.ts";

/** The web part: Next.js behind a server of ours, which sets the times and catches what is no request. */

const dev = env.NODE_ENV === "development";
const server = createServer({
  // An upload takes as long as it takes; headers do not.
  requestTimeout: 0,
  headersTimeout: 60_000,
  // Longer than the minute after which most proxies close an idle connection: they should do it.
  keepAliveTimeout: 65_000,
});
const part = startPart({ onStop: () => closeGently(server) });
const app = next({
  dev,
  dir: projectFolder,
  hostname: env.HOST ?? "localhost",
  port: env.PORT,
  httpServer: server,
});
await app.prepare();
const handle = app.getRequestHandler();

server.on("request", (request, response) => {
  if (refuseMalformed(request, response)) return;
  restoreBodyLength(response);
  void handle(request, response);
});
server.on("clientError", refuseUnreadable);
server.listen({ port: env.PORT, host: env.HOST }, part.ready);
