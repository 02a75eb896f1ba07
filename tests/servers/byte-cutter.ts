import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/** A proxy that cuts connections in the middle of what clients send. */
export interface ByteCutter {
  readonly url: string;
  /** How many connections were cut. */
  readonly cuts: number;
  close(): void;
}

interface CutOptions {
  /** How many connections are cut. */
  readonly cuts: number;
  /** How many bytes a client may send on a connection before it is cut. */
  readonly afterBytes: number;
  /** Called after each cut, with the number of cuts so far. */
  readonly onCut?: (cuts: number) => void;
}

/** Starts a proxy of `target` that cuts the first connections with so many bytes. Later ones stay. */
export async function startByteCutter(target: string, options: CutOptions): Promise<ByteCutter> {
  let cuts = 0;
  const { port, hostname } = new URL(target);
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    for (const socket of [client, service]) socket.on("error", () => {});
    client.on("close", () => service.destroy());
    service.on("close", () => client.destroy());
    let sent = 0;
    client.on("data", (chunk: Buffer) => {
      sent += chunk.length;
      if (sent > options.afterBytes && cuts < options.cuts) {
        cuts++;
        client.destroy();
        options.onCut?.(cuts);
      } else if (!service.write(chunk)) {
        client.pause();
        service.once("drain", () => client.resume());
      }
    });
    service.pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo; // a TCP server
  return {
    url: `http://127.0.0.1:${own}`,
    get cuts() {
      return cuts;
    },
    close: () => void server.close(),
  };
}

/** The same path and query on another origin. */
export function onOrigin(url: string, origin: string): string {
  const { pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
}
