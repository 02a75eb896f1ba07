import { createHmac } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import next from "next";
import { env } from "#lib/env.ts";
import { startContinuingCalls } from "#lib/gotenberg/webhooks/deliver.ts";
import { startReporting } from "#lib/jobs/metrics-report.ts";
import { log } from "#lib/log.ts";
import { gotenbergHost } from "#lib/server/gotenberg-host.ts";
import { createGotenbergServer } from "#lib/server/gotenberg-port.ts";
import { createImgproxyServer, createPictureListener } from "#lib/server/picture-listener.ts";
import { createWebServer } from "#lib/server/server.ts";
import { shutDownGracefully } from "#lib/server/shutdown.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { beforeExit } from "#lib/stopping.ts";
import { runAsService } from "#lib/supervisor/services/service-process.ts";
import { flushSpans } from "#lib/tracing/spans.ts";

/** The web service: Next.js behind our HTTP server, which sets time limits and rejects malformed requests. */

// Encrypts the data that pages carry for their server actions. The same key on every machine.
if (env.SECRET) {
  const key = createHmac("sha256", env.SECRET).update("server actions").digest("base64");
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = key;
}

if (env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  const { startTracing } = await import("#lib/tracing/start.ts");
  startTracing(env, log);
  beforeExit(flushSpans);
}

// Node.js runs the settings of Next.js. Otherwise Next.js loads its compiler for them.
process.env.__NEXT_NODE_NATIVE_TS_LOADER_ENABLED = "true";

const isDevelopment = env.NODE_ENV === "development";

const server = createWebServer((request, response) => void handle(request, response));
const imgproxyServer = env.IMGPROXY_PORT === undefined ? undefined : createImgproxyServer();
const gotenbergServer = env.GOTENBERG_PORT === undefined ? undefined : createGotenbergServer();
const service = runAsService({
  onStop: async () => {
    const servers = [server, imgproxyServer, gotenbergServer].filter((one) => one !== undefined);
    await Promise.all(servers.map((one) => shutDownGracefully(one)));
  },
});
const app = next({
  dev: isDevelopment,
  dir: projectFolder,
  hostname: env.HOST ?? "localhost",
  port: env.PORT,
  httpServer: server,
});
// In development Next.js serves the API too, so that a change takes effect at once.
const [apiModule] = await Promise.all([
  isDevelopment ? undefined : import("#lib/server/api-listener.ts"),
  app.prepare(),
]);
const handlePage = app.getRequestHandler();
const handle = createPictureListener(apiModule?.createApiListener(handlePage) ?? handlePage);
startReporting();
await listenAlso("IMGPROXY_PORT", imgproxyServer, env.HOST);
startContinuingCalls();
await listenAlso("GOTENBERG_PORT", gotenbergServer, gotenbergHost(env.HOST));
server.listen({ port: env.PORT, host: env.HOST }, service.ready);

/** Serves a port that is not for pages, if one is set. */
async function listenAlso(
  name: "IMGPROXY_PORT" | "GOTENBERG_PORT",
  other: Server | undefined,
  host: string | undefined,
): Promise<void> {
  if (!other) return;
  other.listen({ port: env[name], host });
  await once(other, "listening").catch((error: Error) => {
    process.stderr.write(`${name}: port ${env[name]} cannot be used: ${error.message}\n`);
    process.exit(1);
  });
}
