import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";

/** Servers and files that no engine may reach. An access to them is a breach of the sandbox. */
export interface Canary {
  /** The URL `http://127.0.0.1:<port>`. The same port is open on `[::1]` and for UDP. */
  readonly url: string;
  readonly port: number;
  /** The folder of another job, next to the work folders of the tests. */
  readonly folder: string;
  /** The path of a text file in `folder` that contains only `secretText`. */
  readonly secretFile: string;
  /** A text that is in every file of `folder` and in every response of the servers. */
  readonly secretText: string;
  /** Returns the connections to the servers since the last call. Must be empty. */
  readonly takeHits: () => string[];
}

/** A text of letters only, so that no format encodes it differently. */
const secretText = "OTHERJOBSECRETXQZ";

let started: Promise<Canary> | undefined;

/** Starts the servers and writes the files, once per process. They do not keep the process alive. */
export function startCanary(): Promise<Canary> {
  started ??= open();
  return started;
}

async function open(): Promise<Canary> {
  const folder = processPath("other-job", "in");
  mkdirSync(folder, { recursive: true });
  const secret = join(folder, "secret.txt");
  writeFileSync(secret, secretText);
  const hits: string[] = [];
  const port = await listen("127.0.0.1", 0, hits);
  // Fails on a machine without IPv6.
  await listen("::1", port, hits).catch(() => {});
  await listenForDatagrams(port, hits);
  const takeHits = () => hits.splice(0);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    folder,
    secretFile: secret,
    secretText,
    takeHits,
  };
}

/** Records every connection, with or without a request, and responds with HTTP. */
async function listen(host: string, port: number, hits: string[]): Promise<number> {
  const respond = (socket: Socket) => {
    const index = hits.push(`a connection to ${host}`) - 1;
    socket.on("error", () => {});
    socket.once("data", (bytes: Buffer) => {
      hits[index] += `: ${bytes.toString("latin1", 0, 200).split("\r\n", 1)[0]}`;
      const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${secretText.length}`;
      socket.end(`${head}\r\nConnection: close\r\n\r\n${secretText}`);
    });
  };
  const server = createServer(respond).listen(port, host);
  await once(server, "listening");
  server.unref();
  // A listening TCP server has an address of this type.
  return (server.address() as AddressInfo).port;
}

async function listenForDatagrams(port: number, hits: string[]): Promise<void> {
  const socket = createSocket("udp4", () => hits.push("a datagram"));
  socket.bind(port, "127.0.0.1");
  await once(socket, "listening");
  socket.unref();
}
