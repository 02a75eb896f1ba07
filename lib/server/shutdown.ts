import { once } from "node:events";
import type { Server } from "node:http";
import { finishWork } from "#lib/stopping.ts";

/** Then open requests are closed: the supervisor kills the process after 30 s. */
const gracePeriodMs = 25_000;

/**
 * `globalThis[stoppingSignal]` is an `AbortSignal` for handlers that keep requests open (long polls,
 * event streams). A global, because Next.js bundles its routes and they share no modules with us.
 */
export const stoppingSignal: unique symbol = Symbol.for("mediamill.stopping");

const stopping = new AbortController();
Object.assign(globalThis, { [stoppingSignal]: stopping.signal });

/** Accepts no more requests and waits for the running ones. Resolves when all connections are closed. */
export async function shutDownGracefully(server: Server): Promise<void> {
  stopping.abort();
  if (server.listening) await closeServer(server);
  await finishWork();
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A keep-alive connection becomes idle when its last request ends.
  const idleTimer = setInterval(() => server.closeIdleConnections(), 50);
  const closeTimer = setTimeout(() => server.closeAllConnections(), gracePeriodMs);
  await closed;
  clearInterval(idleTimer);
  clearTimeout(closeTimer);
}
