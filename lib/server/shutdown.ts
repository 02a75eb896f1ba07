import { once } from "node:events";
import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { finishWork } from "#lib/stopping.ts";
import { connectionsOf } from "./connections.ts";

/** Then open requests are closed: the supervisor kills the process after 30 s. */
const defaultGracePeriodMs = 25_000;

/** How long the first byte on a connection may take that was accepted just before. */
const firstByteMs = 1000;

/** How long the work may take that follows the last request. */
const maxFinalWorkMs = 3000;

/**
 * `globalThis[stoppingSignal]` is an `AbortSignal` for handlers that keep requests open (long polls,
 * event streams). A global, because Next.js bundles its routes and they share no modules with us.
 */
export const stoppingSignal: unique symbol = Symbol.for("mediamill.stopping");

const stopping = new AbortController();
Object.assign(globalThis, { [stoppingSignal]: stopping.signal });

/**
 * Accepts no more requests and waits for the running ones, at most `gracePeriodMs`. Resolves when all
 * connections are closed and the last work is done.
 */
export async function shutDownGracefully(
  server: Server,
  gracePeriodMs = defaultGracePeriodMs,
): Promise<void> {
  stopping.abort();
  if (server.listening) await closeServer(server, gracePeriodMs);
  // The last work needs the database, which may not respond.
  await Promise.race([finishWork(), wait(maxFinalWorkMs, undefined, { ref: false })]);
}

async function closeServer(server: Server, gracePeriodMs: number): Promise<void> {
  const connections = connectionsOf(server);
  const closed = once(server, "close");
  server.close();
  // A keep-alive connection becomes idle when its last request ends.
  const idleTimer = setInterval(() => server.closeIdleConnections(), 50);
  const unusedTimer = setInterval(() => connections.destroyUnused(), firstByteMs);
  const closeTimer = setTimeout(() => connections.destroyAll(), gracePeriodMs);
  await closed;
  clearInterval(idleTimer);
  clearInterval(unusedTimer);
  clearTimeout(closeTimer);
}
