import { once } from "node:events";
import type { Server } from "node:http";

/** Requests still open then are cut off: the supervisor kills what takes 30 s. */
const graceMs = 25_000;

/**
 * Told to whoever holds requests open (long polls, event streams) as `globalThis[stoppingSignal]`,
 * an `AbortSignal`: Next.js bundles its routes, so a module cannot be shared with them.
 */
export const stoppingSignal: unique symbol = Symbol.for("mediamill.stopping");

const stopping = new AbortController();
Object.assign(globalThis, { [stoppingSignal]: stopping.signal });

/** Takes no more requests, lets those that run finish, resolves when none is left. */
export async function closeGently(server: Server): Promise<void> {
  stopping.abort();
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  // A connection that served its last request just now is idle from now on.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
