import { createHmac } from "node:crypto";
import { once } from "node:events";
import next from "next";
import { env } from "#lib/env.ts";
import { startReporting } from "#lib/jobs/metrics-report.ts";
import { log } from "#lib/log.ts";
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

const isDevelopment = env.NODE_ENV === "development";

const server = createWebServer((request, response) => void handle(request, response));
const imgproxyServer = env.IMGPROXY_PORT === undefined ? undefined : createImgproxyServer();
const service = runAsService({
  onStop: async () => {
    const servers = imgproxyServer ? [server, imgproxyServer] : [server];
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
await listenForImgproxy();
server.listen({ port: env.PORT, host: env.HOST }, service.ready);

/** Serves imgproxy's URLs on a port of their own, if one is set. */
async function listenForImgproxy(): Promise<void> {
  if (!imgproxyServer) return;
  imgproxyServer.listen({ port: env.IMGPROXY_PORT, host: env.HOST });
  await once(imgproxyServer, "listening").catch((error: Error) => {
    process.stderr.write(
      `IMGPROXY_PORT: port ${env.IMGPROXY_PORT} cannot be used: ${error.message}\n`,
    );
    process.exit(1);
  });
}
