import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { openPorts } from "#lib/net/addresses.ts";

/** A server that the service must never reach, and how often it was. */
export interface ClosedHost {
  readonly url: string;
  readonly visits: readonly string[];
  close(): void;
}

/**
 * Listens on loopback at a port that inputs may come from, so that only the address stands between
 * the service and this server.
 */
export async function startClosedHost(): Promise<ClosedHost> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`);
    response.end("secret");
  });
  server.on("connection", () => visits.push("a connection"));
  for (const port of openPorts.input.toReversed()) {
    if (!(await listens(server, port))) continue;
    return { url: `http://127.0.0.1:${port}`, visits, close: () => server.close() };
  }
  throw new Error(`none of the ports ${openPorts.input.join(", ")} is free on this machine`);
}

async function listens(server: Server, port: number): Promise<boolean> {
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false; // in use, or not allowed
  }
}
