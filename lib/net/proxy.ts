import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CheckedUrl, Guard } from "./guard.ts";
import { defaultNetwork, type Network, parseOrRefuse, withDeadline } from "./network.ts";
import { connectPinned, readChunks, requestPinned } from "./pinned-request.ts";

export interface GuardedProxy {
  /** Stops listening and ends every exchange. */
  close(): Promise<void>;
}

export interface ProxyLimits {
  /** The most that one answer or tunnel may bring. */
  readonly maxBytes: number;
  /** Exchanges at once; more are answered 503. Chromium opens 32 to a proxy, and as many WebSockets. */
  readonly maxExchanges: number;
  /** The longest that one exchange may last. A page has 30 s. */
  readonly totalMs: number;
}

const defaultProxyLimits: ProxyLimits = { maxBytes: 1e8, maxExchanges: 64, totalMs: 60_000 };

/** Headers that are between two neighbours (RFC 9110, 7.6.1), and those that only a proxy reads. */
const neighbourHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authorization",
  "proxy-authenticate",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

interface Surroundings {
  readonly network: Network;
  readonly limits: ProxyLimits;
}

/**
 * Chromium's only way out: an HTTP proxy on the UNIX socket `socketPath` (absolute; made anew).
 * Plain requests, tunnels (`CONNECT`: https, WebSockets) and upgrades all pass the guard of input
 * addresses. What it refuses is answered 403 at once, what fails 502.
 */
export async function startGuardedProxy(
  socketPath: string,
  network: Network = defaultNetwork(),
  given: Partial<ProxyLimits> = {},
): Promise<GuardedProxy> {
  const limits = { ...defaultProxyLimits, ...given };
  const around = { network, limits };
  const sockets = new Set<Socket>();
  let exchanges = 0;
  const admit = async (exchange: () => Promise<void>, fail: (status: number) => void) => {
    if (exchanges >= limits.maxExchanges) return fail(503);
    exchanges++;
    await exchange()
      .catch((error) => fail(isRefusal(error) ? 403 : 502))
      .finally(() => exchanges--);
  };
  const server = createServer((request, response) => {
    void admit(
      () => forward(request, response, around),
      (status) => failResponse(response, status),
    );
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void admit(
      () => tunnel(`https://${request.url}`, socket, undefined, head, around),
      (status) => failSocket(socket, status),
    );
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void admit(
      () => tunnel(request.url ?? "", socket, request, head, around),
      (status) => failSocket(socket, status),
    );
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  await rm(socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "address_refused";
}

function checkTarget(text: string, guard: Guard): Promise<CheckedUrl> {
  return guard.check(parseOrRefuse(text, "input"), "input");
}

/** Passes on a plain request, given with its whole address, and the answer. */
async function forward(request: IncomingMessage, response: ServerResponse, around: Surroundings) {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const { network, limits } = around;
  await withDeadline(gone.signal, limits.totalMs, async (signal) => {
    const answer = await requestPinned({
      target: await checkTarget(request.url ?? "", network.guard),
      limits: network.limits,
      ca: network.ca,
      purpose: "input",
      method: request.method ?? "GET",
      headers: passedHeaders(request.headers),
      body: request.method === "GET" || request.method === "HEAD" ? null : request,
      signal,
    });
    try {
      response.writeHead(answer.status, passedHeaders(answer.headers));
      const chunks = readChunks(answer.body, network.limits.chunkMs);
      await pipeline(Readable.from(cut(chunks, limits.maxBytes)), response, { signal });
    } finally {
      await answer.close();
    }
  });
}

function passedHeaders(headers: IncomingMessage["headers"]) {
  const passed = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !neighbourHeaders.has(name),
  );
  return Object.fromEntries(passed);
}

/** Connects `socket` with the server at `text`; `upgrade` is the request to begin with, if any. */
async function tunnel(
  text: string,
  socket: Duplex,
  upgrade: IncomingMessage | undefined,
  head: Buffer,
  { network, limits }: Surroundings,
) {
  const gone = new AbortController();
  socket.on("close", () => gone.abort());
  await withDeadline(gone.signal, limits.totalMs, async (signal) => {
    const target = await checkTarget(text.replace(/^ws/, "http"), network.guard);
    if (upgrade && target.url.protocol !== "http:") throw new Error("only a tunnel can carry TLS");
    const server = await connectPinned(target, network.limits.connectMs, signal);
    const stop = () => server.destroy();
    signal.addEventListener("abort", stop, { once: true });
    server.setTimeout(network.limits.chunkMs, stop);
    if (upgrade) server.write(upgradeHead(upgrade, target.url));
    else socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    server.write(head);
    const out = pipeline(socket, (chunks) => cut(chunks, limits.maxBytes), server);
    const back = pipeline(server, (chunks) => cut(chunks, limits.maxBytes), socket);
    // Once the tunnel stands there is no status left to answer with: its end is the message.
    await Promise.allSettled([out, back]);
    server.destroy();
    socket.destroy();
  });
}

function upgradeHead(request: IncomingMessage, url: URL): string {
  const lines = [`${request.method} ${url.pathname}${url.search} HTTP/1.1`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? "";
    if (!name.toLowerCase().startsWith("proxy-"))
      lines.push(`${name}: ${request.rawHeaders[index + 1]}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

async function* cut(chunks: AsyncIterable<Uint8Array>, maxBytes: number) {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error("more came than is passed on");
    yield chunk;
  }
}

function failResponse(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { "content-length": 0, connection: "close" }).end();
}

function failSocket(socket: Duplex, status: number): void {
  if (socket.destroyed) return;
  socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
