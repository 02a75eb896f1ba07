import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/** A proxy of the service that cuts connections. */
export interface CuttingProxy {
  readonly url: string;
  /** How many of its connections were cut. */
  readonly cuts: number;
  close(): void;
}

/**
 * Starts a proxy that cuts the first connection that sends a request containing `text`, when the service
 * answers it: the service has done what was asked, and its client does not know.
 */
export async function startCuttingProxy(
  target: string,
  text = "POST /v1/image",
): Promise<CuttingProxy> {
  let cuts = 0;
  const { port, hostname } = new URL(target);
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    for (const socket of [client, service]) socket.on("error", () => {});
    let isCut = false;
    client.on("data", (chunk: Buffer) => {
      isCut ||= cuts === 0 && chunk.includes(text);
    });
    client.pipe(service);
    service.on("data", (chunk: Buffer) => {
      if (!isCut) return client.write(chunk);
      if (!client.destroyed) cuts++;
      return client.destroy();
    });
    service.on("end", () => client.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    get cuts() {
      return cuts;
    },
    close: () => server.close(),
  };
}
