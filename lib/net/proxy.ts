import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CheckedUrl, Guard } from "./guard.ts";
import { defaultNetwork, type Network, parseOrReject, withDeadline } from "./network.ts";
import { connectPinned, readChunks, requestPinned } from "./pinned-request.ts";
import { proxyFailureHeader } from "./proxy-failure.ts";

export interface GuardedProxy {
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

export interface ProxyLimits {
  /** The most bytes of one response, or of one direction of a tunnel. */
  readonly maxBytes: number;
  /** Concurrent exchanges; further ones get 503. Chromium opens 32 to a proxy, and 32 WebSockets. */
  readonly maxExchanges: number;
  /** Time limit of one exchange, in milliseconds. A page has 30 s. */
  readonly totalMs: number;
}

const defaultProxyLimits: ProxyLimits = { maxBytes: 1e8, maxExchanges: 64, totalMs: 60_000 };

/** Hop-by-hop headers (RFC 9110, 7.6.1), and headers for proxies. They are not forwarded. */
const hopByHopHeaders = new Set([
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

interface ProxyContext {
  readonly network: Network;
  readonly limits: ProxyLimits;
}

/**
 * The only network access of Chromium: an HTTP proxy on the UNIX socket `socketPath` (absolute; an
 * existing file is replaced). Plain requests, tunnels (`CONNECT`: https, WebSockets) and upgrades are
 * checked by the guard like input URLs. Rejected URLs get 403, failed requests 502.
 */
export async function startGuardedProxy(
  socketPath: string,
  network: Network = defaultNetwork(),
  given: Partial<ProxyLimits> = {},
): Promise<GuardedProxy> {
  const limits = { ...defaultProxyLimits, ...given };
  const context = { network, limits };
  const sockets = new Set<Socket>();
  let exchanges = 0;
  const runExchange = async (exchange: () => Promise<void>, fail: (status: number) => void) => {
    if (exchanges >= limits.maxExchanges) return fail(503);
    exchanges++;
    await exchange()
      .catch((error) => fail(isRejectedUrl(error) ? 403 : 502))
      .finally(() => exchanges--);
  };
  const server = createServer((request, response) => {
    void runExchange(
      () => forward(request, response, context),
      (status) => failResponse(response, status),
    );
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void runExchange(
      () => tunnel(`https://${request.url}`, socket, undefined, head, context),
      (status) => failSocket(socket, status),
    );
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void runExchange(
      () => tunnel(request.url ?? "", socket, request, head, context),
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

function isRejectedUrl(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "address_refused";
}

function checkTarget(text: string, guard: Guard): Promise<CheckedUrl> {
  return guard.check(parseOrReject(text, "input"), "input");
}

/** Forwards a plain request, which has its complete URL, and the response. */
async function forward(request: IncomingMessage, response: ServerResponse, context: ProxyContext) {
  const disconnected = new AbortController();
  response.on("close", () => disconnected.abort());
  const { network, limits } = context;
  await withDeadline(disconnected.signal, limits.totalMs, async (signal) => {
    const upstream = await requestPinned({
      target: await checkTarget(request.url ?? "", network.guard),
      limits: network.limits,
      ca: network.ca,
      purpose: "input",
      method: request.method ?? "GET",
      headers: forwardedHeaders(request.headers),
      body: request.method === "GET" || request.method === "HEAD" ? null : request,
      signal,
    });
    try {
      response.writeHead(upstream.status, forwardedHeaders(upstream.headers));
      const chunks = readChunks(upstream.body, network.limits.chunkMs);
      await pipeline(Readable.from(limitBytes(chunks, limits.maxBytes)), response, { signal });
    } finally {
      await upstream.close();
    }
  });
}

function forwardedHeaders(headers: IncomingMessage["headers"]) {
  const forwarded = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !hopByHopHeaders.has(name),
  );
  return Object.fromEntries(forwarded);
}

/** Connects `socket` with the server at `text`, and first sends the request `upgrade`, if any. */
async function tunnel(
  text: string,
  socket: Duplex,
  upgrade: IncomingMessage | undefined,
  head: Buffer,
  { network, limits }: ProxyContext,
) {
  const disconnected = new AbortController();
  socket.on("close", () => disconnected.abort());
  await withDeadline(disconnected.signal, limits.totalMs, async (signal) => {
    const target = await checkTarget(text.replace(/^ws/, "http"), network.guard);
    if (upgrade && target.url.protocol !== "http:") throw new Error("TLS needs a tunnel");
    const server = await connectPinned(target, network.limits.connectMs, signal);
    const stop = () => server.destroy();
    signal.addEventListener("abort", stop, { once: true });
    server.setTimeout(network.limits.chunkMs, stop);
    if (upgrade) server.write(upgradeHead(upgrade, target.url));
    else socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    server.write(head);
    const outbound = pipeline(socket, (chunks) => limitBytes(chunks, limits.maxBytes), server);
    const inbound = pipeline(server, (chunks) => limitBytes(chunks, limits.maxBytes), socket);
    // A status cannot be sent through an open tunnel, so failures only close it.
    await Promise.allSettled([outbound, inbound]);
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

async function* limitBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number) {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error("byte limit exceeded");
    yield chunk;
  }
}

function failResponse(response: ServerResponse, status: number): void {
  if (response.headersSent) return void response.destroy();
  const failure = { [proxyFailureHeader]: String(status) };
  response.writeHead(status, { "content-length": 0, connection: "close", ...failure }).end();
}

function failSocket(socket: Duplex, status: number): void {
  if (socket.destroyed) return;
  socket.end(`HTTP/1.1 ${status} Rejected\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
