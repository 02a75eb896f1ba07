import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "#tests/service/stack.ts";

/** A TCP proxy to a server on loopback that injects network faults: a dead server, a silent one. */
export class FaultProxy {
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  /** The constructor takes the port of the server. */
  constructor(target: number) {
    this.#target = target;
  }

  get port(): number {
    return this.#port;
  }

  /** Starts to listen, on the same port as before. */
  async open(): Promise<void> {
    await this.close();
    // No port of an outgoing connection: another one could have it until the proxy listens again.
    this.#port ||= await freePort();
    const server = createServer((socket) => this.#join(socket)).listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#server = server;
  }

  /** Closes all connections and rejects new ones. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (!server) return;
    server.close();
    await once(server, "close");
  }

  /** Keeps connections open and accepts new ones, but forwards nothing until `resume`. */
  pause(): void {
    for (const socket of this.#sockets) socket.pause();
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #paused = false;

  #join(socket: Socket): void {
    const upstream = connect(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#paused) from.pause();
    }
  }
}
