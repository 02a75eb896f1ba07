import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A way to a server on loopback that can be shut: closed as if it had died, or silent as if cut off. */
export class Gate {
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  /** `target`: the server's port. */
  constructor(target: number) {
    this.#target = target;
  }

  get port(): number {
    return this.#port;
  }

  /** Lets through what comes from now on. */
  async open(): Promise<void> {
    await this.close();
    const server = createServer((socket) => this.#join(socket)).listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    // A TCP server that listens has an address of this shape.
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Breaks all connections and refuses further ones. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (!server) return;
    server.close();
    await once(server, "close");
  }

  /** Connections stay, and further ones are taken, but nothing passes until `speak`. */
  silence(): void {
    for (const socket of this.#sockets) socket.pause();
    this.#silent = true;
  }

  speak(): void {
    this.#silent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #silent = false;

  #join(socket: Socket): void {
    const onward = connect(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#silent) from.pause();
    }
  }
}
