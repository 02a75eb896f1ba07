import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A proxy in front of PostgreSQL that counts transactions exactly. The server's own counters arrive up to ten
 * seconds late.
 */
export class DatabaseProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #target: URL;
  /** Transactions that have ended so far. */
  transactions = 0;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#forward(client));
  }

  /** Starts a proxy for `databaseUrl`, without TLS. */
  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(new URL(databaseUrl));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** The database's URL through the proxy. */
  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || !address) throw new Error("no port");
    return Object.assign(new URL(this.#target), { hostname: "127.0.0.1", port: address.port }).href;
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }

  #forward(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname);
    let isFirst = true;
    const count = countIdleMessages(() => {
      // The first message ends the login.
      if (!isFirst) this.transactions++;
      isFirst = false;
    });
    server.on("data", count);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}

/** Bytes of a message's type and length. */
const headerBytes = 5;

/**
 * Reads the messages of a PostgreSQL server and calls `onIdle` for each ReadyForQuery outside of a
 * transaction. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function countIdleMessages(onIdle: () => void): (chunk: Buffer) => void {
  let unread: Buffer = Buffer.alloc(0);
  return (chunk) => {
    unread = unread.length > 0 ? Buffer.concat([unread, chunk]) : chunk;
    while (unread.length >= headerBytes) {
      const bytes = 1 + unread.readInt32BE(1);
      if (unread.length < bytes) return;
      if (unread[0] === 0x5a && unread[headerBytes] === 0x49) onIdle(); // "Z", state "I"
      unread = unread.subarray(bytes);
    }
  };
}
