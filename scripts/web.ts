import { createHmac } from "node:crypto";
import next from "next";
import { env } from "#lib/env.ts";
import { createWebServer } from "#lib/server/server.ts";
import { closeGently } from "#lib/server/shutdown.ts";
import { startPart } from "#lib/supervisor/service-process.ts";
import { projectFolder } from "./setup/node24.mjs";

/** The web part: Next.js behind a server of ours, which sets the times and catches what is no request. */

/** What pages carry for their server actions is sealed with it: the same on every machine. */
if (env.SECRET) {
  const seal = createHmac("sha256", env.SECRET).update("server actions").digest("base64");
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = seal;
}

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
