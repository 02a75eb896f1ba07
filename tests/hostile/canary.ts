import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { processPath } from "#lib/engines/sandbox/process-folder.ts";

/** What lies about to be taken: who asks for it is no engine of ours. */
export interface Bait {
  /** `http://127.0.0.1:<port>`; the same port is open on `[::1]`, and for datagrams. */
  readonly address: string;
  readonly port: number;
  /** The folder of another job, beside those in which operations are run here. */
  readonly folder: string;
  /** A text file in `folder` that is the marker and nothing else. */
  readonly secret: string;
  /** Stands in every file of `folder` and in whatever the servers answer. */
  readonly marker: string;
  /** What was asked of the servers since the last call: nothing, if all is well. */
  readonly takeHits: () => string[];
}

/** Letters alone, so that no format has cause to write it otherwise. */
const marker = "NEIGHBOURSECRETXQZ";

let laid: Promise<Bait> | undefined;

/** Opens the servers and writes the files, once a process. They do not keep the process alive. */
export function layBait(): Promise<Bait> {
  laid ??= open();
  return laid;
}

async function open(): Promise<Bait> {
  const folder = processPath("neighbour", "in");
  mkdirSync(folder, { recursive: true });
  const secret = join(folder, "secret.txt");
  writeFileSync(secret, marker);
  const hits: string[] = [];
  const port = await listen("127.0.0.1", 0, hits);
  // A machine without IPv6 has no such loopback to reach.
  await listen("::1", port, hits).catch(() => {});
  await listenForDatagrams(port, hits);
  const takeHits = () => hits.splice(0);
  return { address: `http://127.0.0.1:${port}`, port, folder, secret, marker, takeHits };
}

/** Counts every connection, whether it asks for anything or not, and answers HTTP. */
async function listen(host: string, port: number, hits: string[]): Promise<number> {
  const answer = (socket: Socket) => {
    const index = hits.push(`a connection to ${host}`) - 1;
    socket.on("error", () => {});
    socket.once("data", (bytes: Buffer) => {
      hits[index] += `: ${bytes.toString("latin1", 0, 200).split("\r\n", 1)[0]}`;
      const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${marker.length}`;
      socket.end(`${head}\r\nConnection: close\r\n\r\n${marker}`);
    });
  };
  const server = createServer(answer).listen(port, host);
  await once(server, "listening");
  server.unref();
  // A TCP server that listens has an address of this shape.
  return (server.address() as AddressInfo).port;
}

async function listenForDatagrams(port: number, hits: string[]): Promise<void> {
  const socket = createSocket("udp4", () => hits.push("a datagram"));
  socket.bind(port, "127.0.0.1");
  await once(socket, "listening");
  socket.unref();
}
