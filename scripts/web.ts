import { createHmac } from "node:crypto";
import next from "next";
import { env } from "#lib/env.ts";
import { createWebServer } from "#lib/server/server.ts";
import { shutDownGracefully } from "#lib/server/shutdown.ts";
import { runAsService } from "#lib/supervisor/services/service-process.ts";
import { projectFolder } from "./setup/node24.mjs";

/** The web service: Next.js behind our HTTP server, which sets time limits and rejects malformed requests. */

// Encrypts the data that pages carry for their server actions. The same key on every machine.
if (env.SECRET) {
  const key = createHmac("sha256", env.SECRET).update("server actions").digest("base64");
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = key;
}

const server = createWebServer((request, response) => void handle(request, response));
const service = runAsService({ onStop: () => shutDownGracefully(server) });
const app = next({
  dev: env.NODE_ENV === "development",
  dir: projectFolder,
  hostname: env.HOST ?? "localhost",
  port: env.PORT,
  httpServer: server,
});
await app.prepare();
const handle = app.getRequestHandler();
server.listen({ port: env.PORT, host: env.HOST }, service.ready);
