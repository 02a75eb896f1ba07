import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { JobError } from "#lib/errors.ts";
import type { CheckedUrl } from "../guard.ts";
import { TrafficLimitError } from "../limits/traffic.ts";
import { type Network, parseOrReject, withDeadline } from "../network.ts";
import { noNetwork } from "../no-network.ts";
import { connectPinned, readChunks, requestPinned } from "../pinned-request.ts";
import { type ProxyFailure, proxyFailureHeader, proxyFailures } from "./proxy-failure.ts";
import { TlsMessageCounter } from "./tls-records.ts";

export interface GuardedProxy {
  /** Requests use `network` from now on. Before, and after `shut`, all are rejected. */
  open(network: Network): void;
  /** Closes all connections and rejects further requests until it is opened again. */
  shut(): void;
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

/**
 * Messages of a TLS connection that are no requests: the end of the handshake, the settings of HTTP/2 and their
 * confirmation, and the end of the connection. The tunnel itself counts as the first request.
 */
const uncountedMessages = 4;

interface ProxyContext {
  readonly network: Network;
  readonly limits: ProxyLimits;
}

/**
 * The only network access of Chromium: an HTTP proxy on the UNIX socket `socketPath` (absolute; an
 * existing file is replaced). Plain requests, tunnels (`CONNECT`: https, WebSockets) and upgrades are
 * checked by the guard of the network that it was opened with, and counted. Rejected URLs get 403, requests above the
 * limits of the network 429, failed ones 502.
 */
export async function startGuardedProxy(
  socketPath: string,
  given: Partial<ProxyLimits> = {},
): Promise<GuardedProxy> {
  const limits = { ...defaultProxyLimits, ...given };
  let network = noNetwork;
  const sockets = new Set<Socket>();
  let exchanges = 0;
  const runExchange = async (
    exchange: (context: ProxyContext) => Promise<void>,
    fail: (failure: ProxyFailure) => void,
  ) => {
    if (network.isClosed) return fail("closed");
    if (exchanges >= limits.maxExchanges) return fail("busy");
    exchanges++;
    await exchange({ network, limits })
      .catch((error) => fail(classifyFailure(error)))
      .finally(() => exchanges--);
  };
  const server = createServer((request, response) => {
    void runExchange(
      (context) => forward(request, response, context),
      (failure) => failResponse(response, failure),
    );
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void runExchange(
      (context) => tunnel(`https://${request.url}`, socket, undefined, head, context),
      (failure) => failSocket(socket, failure),
    );
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void runExchange(
      (context) => tunnel(request.url ?? "", socket, request, head, context),
      (failure) => failSocket(socket, failure),
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
  const shut = () => {
    network = noNetwork;
    for (const socket of sockets) socket.destroy();
  };
  return {
    open(opened) {
      network = opened;
    },
    shut,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      shut();
      await closed;
    },
  };
}

function classifyFailure(error: unknown): ProxyFailure {
  if (error instanceof TrafficLimitError) return error.limit;
  if (error instanceof JobError && error.code === "address_refused") return "address";
  return isRefused(error) ? "refused" : "unreachable";
}

function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "ECONNREFUSED") || isRefused(error.cause);
}

function checkTarget(text: string, { guard, purpose }: Network): Promise<CheckedUrl> {
  return guard.check(parseOrReject(text, purpose), purpose);
}

/** Forwards a plain request, which has its complete URL, and the response. */
async function forward(request: IncomingMessage, response: ServerResponse, context: ProxyContext) {
  const disconnected = new AbortController();
  response.on("close", () => disconnected.abort());
  const { network, limits } = context;
  await withDeadline(disconnected.signal, limits.totalMs, async (signal) => {
    const upstream = await requestPinned({
      target: await checkTarget(request.url ?? "", network),
      network,
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
    const target = await checkTarget(text.replace(/^ws/, "http"), network);
    if (upgrade && target.url.protocol !== "http:") throw new Error("TLS needs a tunnel");
    const server = await connectPinned({ target, network }, signal);
    const stop = () => server.destroy();
    signal.addEventListener("abort", stop, { once: true });
    server.setTimeout(network.limits.chunkMs, stop);
    if (upgrade) server.write(upgradeHead(upgrade, target.url));
    else socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    server.write(head);
    const countOutbound = outboundCounter(network);
    const countInbound = (chunk: Uint8Array) => network.traffic?.addBytes(chunk.length);
    const { maxBytes } = limits;
    const outbound = pipeline(socket, (data) => limitBytes(data, maxBytes, countOutbound), server);
    const inbound = pipeline(server, (data) => limitBytes(data, maxBytes, countInbound), socket);
    // A status cannot be sent through an open tunnel, so failures only close it.
    await Promise.allSettled([outbound, inbound]);
    server.destroy();
    socket.destroy();
  });
}

/** Counts what a tunnel sends. Each message of an encrypted connection counts as a request. */
function outboundCounter({ traffic }: Network): (chunk: Uint8Array) => void {
  const messages = new TlsMessageCounter();
  let uncounted = uncountedMessages;
  return (chunk) => {
    traffic?.addBytes(chunk.length);
    const added = messages.add(chunk);
    traffic?.addRequests(Math.max(0, added - uncounted));
    uncounted = Math.max(0, uncounted - added);
  };
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

async function* limitBytes(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  count: (chunk: Uint8Array) => void = () => {},
) {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error("byte limit exceeded");
    count(chunk);
    yield chunk;
  }
}

function failResponse(response: ServerResponse, failure: ProxyFailure): void {
  if (response.headersSent) return void response.destroy();
  const { status } = proxyFailures[failure];
  const header = { [proxyFailureHeader]: failure };
  response.writeHead(status, { "content-length": 0, connection: "close", ...header }).end();
}

function failSocket(socket: Duplex, failure: ProxyFailure): void {
  if (socket.destroyed) return;
  const { status } = proxyFailures[failure];
  socket.end(`HTTP/1.1 ${status} Rejected\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
