import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { log } from "#lib/log.ts";

/** Responses are short, and a probe sends one request. */
const requestTimeoutMs = 5000;

export interface HealthServerOptions {
  readonly port: number;
  /** All addresses by default, because probes come from outside of a container. */
  readonly host: string | undefined;
  /** The body of `/readyz`. Its status is 200 if `status` is `ready`, else 503. */
  readonly readReadiness: () => Promise<{ readonly status: "ready" | "unavailable" }>;
}

/**
 * Answers `GET /healthz` and `GET /readyz` for a process that serves nothing else. The responses have no
 * details of the installation, so they need no token. Rejects if the port is in use.
 */
export async function startHealthServer(options: HealthServerOptions): Promise<Server> {
  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    const send = (status: number, body: object) => {
      const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
      response.writeHead(status, status === 503 ? { ...headers, "Retry-After": "5" } : headers);
      response.end(request.method === "HEAD" ? undefined : JSON.stringify(body));
    };
    const [path] = (request.url ?? "").split("?");
    request.resume();
    if (path !== "/healthz" && path !== "/readyz") {
      return send(404, { error: "Only `/healthz` and `/readyz` exist here." });
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      return send(405, { error: "Only GET and HEAD are allowed here." });
    }
    if (path === "/healthz") return send(200, { status: "ok" });
    options.readReadiness().then(
      (body) => send(body.status === "ready" ? 200 : 503, body),
      (err) => {
        log.error({ err }, "readiness check failed");
        send(503, { status: "unavailable" });
      },
    );
  });
  server.listen(options.port, options.host);
  await once(server, "listening");
  return server;
}
