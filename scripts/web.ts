import next from "next";
import { env } from "#lib/env.ts";
import { startPart } from "./part.ts";
import { projectFolder } from "./setup/node24.mjs";
import { createWebServer } from "./web/server.ts";
import { closeGently } from "./web/shutdown.ts";

/** The web part: Next.js behind a server of ours, which sets the times and catches what is no request. */

const server = createWebServer((request, response) => void handle(request, response));
const part = startPart({ onStop: () => closeGently(server) });
const app = next({
  dev: env.NODE_ENV === "development",
  dir: projectFolder,
  hostname: env.HOST ?? "localhost",
  port: env.PORT,
  httpServer: server,
});
await app.prepare();
const handle = app.getRequestHandler();
server.listen({ port: env.PORT, host: env.HOST }, part.ready);
