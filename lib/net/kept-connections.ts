import type { Pool } from "undici";
import type { CheckedUrl } from "./guard.ts";

/** More servers than a page has its pictures on. Those that were used last are kept. */
const maxServers = 100;

/** How long a connection waits for its next request. Servers that keep them shorter say so. */
const idleMs = 4000;

/**
 * Connections that stay open between the requests to a server. The guard still checks each request: a
 * connection is only used for a server with the same name and the same addresses.
 */
export class KeptConnections {
  /** The least recently used one first. */
  readonly #pools = new Map<string, Pool>();

  /** The connections to a server that passed the guard. `open` makes a pool with these options, if there is none yet. */
  to({ url, addresses }: CheckedUrl, open: (options: Pool.Options) => Pool): Pool {
    const name = [url.origin, ...addresses.toSorted()].join(" ");
    const pool = this.#pools.get(name) ?? open({ connections: null, keepAliveTimeout: idleMs });
    this.#pools.delete(name);
    this.#pools.set(name, pool);
    const [[oldest, unused] = []] = this.#pools;
    if (this.#pools.size > maxServers && oldest !== undefined) {
      this.#pools.delete(oldest);
      // It ends the requests that are being answered first.
      void unused?.close();
    }
    return pool;
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}
