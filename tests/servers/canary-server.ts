import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { allowedPorts } from "#lib/net/addresses.ts";

/** A server that the service must never reach, and the connections and requests that it received. */
export interface CanaryServer {
  readonly url: string;
  readonly connections: readonly string[];
  close(): void;
}

/**
 * Listens on loopback at a port that inputs may use, so that only the check of the IP address keeps
 * the service from this server.
 */
export async function startCanaryServer(): Promise<CanaryServer> {
  const connections: string[] = [];
  const server = createServer((request, response) => {
    connections.push(`${request.method} ${request.url}`);
    response.end("secret");
  });
  server.on("connection", () => connections.push("a connection"));
  for (const port of allowedPorts.inputs.toReversed()) {
    if (!(await tryListen(server, port))) continue;
    return {
      url: `http://127.0.0.1:${port}`,
      connections,
      close: () => server.close(),
    };
  }
  throw new Error(`none of the ports ${allowedPorts.inputs.join(", ")} is free on this machine`);
}

async function tryListen(server: Server, port: number): Promise<boolean> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false; // in use, or not allowed
  }
}
