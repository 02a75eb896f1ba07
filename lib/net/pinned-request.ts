import { once } from "node:events";
import { connect as connectSocket, isIPv6, type LookupFunction, type Socket } from "node:net";
import { Readable } from "node:stream";
import type { buildConnector, Client, Dispatcher, Pool } from "undici";
import { withTimeout } from "#lib/deadline.ts";
import { fetchTimeoutError, toFetchError } from "./fetch-errors.ts";
import { type CheckedUrl, normalizeAddress, rejectedUrl } from "./guard.ts";
import { countBytes, type Traffic } from "./limits/traffic.ts";
import type { Network } from "./network.ts";

/** A request to the addresses that passed the guard. */

/**
 * It is large, so it is loaded with the first request: most processes start without one. Call it before a deadline of the
 * other server begins.
 */
export const loadUndici = () => import("undici");

type Undici = Awaited<ReturnType<typeof loadUndici>>;

/** The most header bytes of a response; large servers stay under 16 KiB. */
const maxHeaderBytes = 64 * 1024;

/** The server of a request, and how it is reached. */
export interface PinnedPeer {
  readonly target: CheckedUrl;
  /** That has checked the target. */
  readonly network: Network;
}

export interface PinnedRequest extends PinnedPeer {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Dispatcher.DispatchOptions["headers"];
  readonly body?: Dispatcher.DispatchOptions["body"];
  readonly signal: AbortSignal;
}

export interface PinnedResponse {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection. Always call it, also after errors. */
  readonly close: () => Promise<void>;
}

/**
 * Sends a request to one of the addresses in `target`, with its name in Host and SNI. Does not follow
 * redirects, decode or retry, and ignores the proxies of the environment. Throws `JobError`.
 */
export async function requestPinned(request: PinnedRequest): Promise<PinnedResponse> {
  const { connections } = request.network;
  if (connections && request.method === "GET") {
    try {
      const undici = await loadUndici();
      const pool = connections.to(request.target, (options) => newPool(undici, request, options));
      return await sendPinned(pool, request);
    } catch (error) {
      if (!wasClosed(error) || request.signal.aborted) throw error;
    }
  }
  return requestAlone(request);
}

/** Whether the server has closed the connection, as it may do with one that was idle. */
function wasClosed(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

/** Uses a connection of its own. */
async function requestAlone(request: PinnedRequest): Promise<PinnedResponse> {
  const undici = await loadUndici();
  const client = new undici.Client(request.target.url.origin, clientOptions(undici, request));
  try {
    const response = await sendPinned(client, request);
    return { ...response, close: () => client.destroy() };
  } catch (error) {
    await client.destroy();
    throw error;
  }
}

/** Connections that stay open between requests, at most `connections`; see `requestPinned`. */
export async function openPinnedPool(peer: PinnedPeer, connections: number): Promise<Pool> {
  return newPool(await loadUndici(), peer, { connections });
}

function newPool(undici: Undici, peer: PinnedPeer, options: Pool.Options): Pool {
  return new undici.Pool(peer.target.url.origin, { ...clientOptions(undici, peer), ...options });
}

/**
 * Sends a request over `dispatcher`, which was opened for the same target. `close` closes the
 * connection if the body was not read to its end. Throws `JobError`.
 */
export async function sendPinned(
  dispatcher: Dispatcher,
  request: PinnedRequest,
): Promise<PinnedResponse> {
  const { url } = request.target;
  const { traffic } = request.network;
  try {
    const response = await dispatcher.request({
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: request.headers,
      body: traffic ? countRequestBody(request.body, traffic) : (request.body ?? null),
      signal: request.signal,
    });
    // Closing the connection early makes the unread body fail.
    response.body.on("error", () => {});
    return {
      status: response.statusCode,
      headers: response.headers,
      body: traffic ? countBytes(response.body, traffic) : response.body,
      close: async () => void response.body.destroy(),
    };
  } catch (error) {
    throw toFetchError(error);
  }
}

/** Counts the body of a request, which is a stream if a page sends it. */
function countRequestBody(
  body: PinnedRequest["body"],
  traffic: Traffic,
): PinnedRequest["body"] | null {
  if (body instanceof Readable) return Readable.from(countBytes(body, traffic));
  if (typeof body === "string" || body instanceof Uint8Array) traffic.addBytes(body.length);
  return body ?? null;
}

function clientOptions(undici: Undici, peer: PinnedPeer): Client.Options {
  return {
    connect: pinnedConnector(undici, peer),
    headersTimeout: peer.network.limits.headersMs,
    bodyTimeout: 0, // `readChunks` has a timeout that runs only while it waits for the server
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
  };
}

function pinnedConnector(undici: Undici, peer: PinnedPeer): buildConnector.connector {
  const { target, network } = peer;
  const { limits, ca, purpose } = network;
  const connect = undici.buildConnector({
    timeout: limits.connectMs,
    lookup: pinnedLookup(target.addresses),
    rejectUnauthorized: true,
    allowH2: false,
    maxCachedSessions: 0,
    ...(ca ? { ca } : {}),
  });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      if (!isPinned(socket, target)) {
        socket.destroy();
        return callback(rejectedUrl(purpose, "connected to another address"), null);
      }
      callback(null, socket);
    });
}

/** Opens a TCP connection, whose traffic the caller counts. */
export async function connectPinned(
  { target, network }: PinnedPeer,
  signal: AbortSignal,
): Promise<Socket> {
  const host = target.url.hostname.replace(/^\[|\]$/g, "");
  const socket = connectSocket({
    host,
    port: target.port,
    lookup: pinnedLookup(target.addresses),
    allowHalfOpen: true, // one direction may end before the other
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(network.limits.connectMs)]);
  try {
    await once(socket, "connect", { signal: limit });
    if (!isPinned(socket, target)) throw new Error("connected to another address");
    return socket;
  } catch (error) {
    socket.on("error", () => {}); // the thrown error reports the failure
    socket.destroy();
    throw error;
  }
}

/** A lookup that resolves every name to `addresses`. Node calls it only for names, not for IP literals. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    const matching = entries.filter(({ family }) => !options.family || options.family === family);
    const [first] = matching;
    if (!first) return callback(new Error("no address of this family"), "");
    if (options.all) return callback(null, matching);
    callback(null, first.address, first.family);
  };
}

/** Whether `socket` is connected to an address of `target`. */
export function isPinned(socket: Pick<Socket, "remoteAddress">, target: CheckedUrl): boolean {
  return target.addresses.includes(normalizeAddress(socket.remoteAddress ?? ""));
}

/** The chunks of a body, with a timeout of `chunkMs` for each one. Throws `JobError`. */
export async function* readChunks(
  body: AsyncIterable<Uint8Array>,
  chunkMs: number,
): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  while (true) {
    const createError = () => fetchTimeoutError("body timed out");
    const next = await withTimeout(iterator.next(), chunkMs, createError).catch((error) => {
      throw toFetchError(error);
    });
    if (next.done) return;
    yield next.value;
  }
}

/** The first value of the header `name` (lower case). */
export function readHeader(response: PinnedResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
