import { once } from "node:events";
import { connect as connectSocket, isIPv6, type LookupFunction, type Socket } from "node:net";
import { buildConnector, Client, type Dispatcher } from "undici";
import { JobError } from "#lib/errors.ts";
import type { FetchPurpose } from "./addresses.ts";
import { type CheckedUrl, normalizeAddress, refuse } from "./guard.ts";

/** One request to an address that the guard has judged, over a connection of its own. */

/** How long each part of a request may take, in milliseconds. */
export interface TimeLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Between two pieces of the body. */
  readonly chunkMs: number;
  /** Everything together, redirects included. */
  readonly totalMs: number;
}

export const defaultTimeLimits: TimeLimits = {
  connectMs: 5_000,
  headersMs: 15_000,
  chunkMs: 30_000,
  totalMs: 15 * 60_000,
};

/** The most header bytes that an answer may have; large servers stay under 16 KiB. */
const maxHeaderBytes = 64 * 1024;

export interface PinnedRequest {
  readonly target: CheckedUrl;
  readonly purpose: FetchPurpose;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Dispatcher.DispatchOptions["headers"];
  readonly body?: Dispatcher.DispatchOptions["body"];
  readonly limits: TimeLimits;
  readonly signal: AbortSignal;
  /** A certificate authority to trust instead of the system's, as PEM. */
  readonly ca?: string | undefined;
}

export interface PinnedResponse {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  readonly body: Dispatcher.ResponseData["body"];
  /** Ends the connection; to be called whatever happens. */
  readonly close: () => Promise<void>;
}

/**
 * Sends a request to exactly the addresses in `target`; the name stays in Host and SNI. Nothing is
 * followed, decoded or retried, and proxies of the environment are not used. Throws `JobError`.
 */
export async function requestPinned(request: PinnedRequest): Promise<PinnedResponse> {
  const { target, limits } = request;
  const client = new Client(target.url.origin, {
    connect: pinnedConnector(request),
    headersTimeout: limits.headersMs,
    bodyTimeout: 0, // `readChunks` keeps the time, and only while it waits for the server
    maxHeaderSize: maxHeaderBytes,
    allowH2: false,
  });
  try {
    const response = await client.request({
      path: `${target.url.pathname}${target.url.search}`,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal: request.signal,
    });
    // Ending the connection early makes the unread body fail, which nobody waits for.
    response.body.on("error", () => {});
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.body,
      close: () => client.destroy(),
    };
  } catch (error) {
    await client.destroy();
    throw explainFailure(error);
  }
}

function pinnedConnector(request: PinnedRequest): buildConnector.connector {
  const { target, limits, ca, purpose } = request;
  const connect = buildConnector({
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
        return callback(refuse(purpose, "connected to another address"), null);
      }
      callback(null, socket);
    });
}

/** Connects to `target` without saying anything yet. */
export async function connectPinned(
  target: CheckedUrl,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const host = target.url.hostname.replace(/^\[|\]$/g, "");
  const socket = connectSocket({
    host,
    port: target.port,
    lookup: pinnedLookup(target.addresses),
    allowHalfOpen: true, // one direction may end before the other
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    await once(socket, "connect", { signal: limit });
    if (!isPinned(socket, target)) throw new Error("connected to another address");
    return socket;
  } catch (error) {
    socket.on("error", () => {}); // the failure is told by what is thrown
    socket.destroy();
    throw error;
  }
}

/** Answers every name with `addresses`; Node does not ask for IP literals, which are what they are. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    const wanted = answers.filter(({ family }) => !options.family || options.family === family);
    const [first] = wanted;
    if (!first) return callback(new Error("no address of this family"), "");
    if (options.all) return callback(null, wanted);
    callback(null, first.address, first.family);
  };
}

/** Whether `socket` ended up where it was sent. */
export function isPinned(socket: Pick<Socket, "remoteAddress">, target: CheckedUrl): boolean {
  return target.addresses.includes(normalizeAddress(socket.remoteAddress ?? ""));
}

/** The pieces of a body, each waited for at most `chunkMs`. Throws `JobError`. */
export async function* readChunks(
  body: AsyncIterable<Uint8Array>,
  chunkMs: number,
): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  while (true) {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(fetchTimeout("the body stalled")), chunkMs);
    const next = await Promise.race([iterator.next(), late.promise])
      .catch((error) => {
        throw explainFailure(error);
      })
      .finally(() => clearTimeout(timer));
    if (next.done) return;
    yield next.value;
  }
}

export function fetchTimeout(cause: unknown): JobError {
  return new JobError("fetch_timeout", "The server took too long to answer.", { cause });
}

function fetchFailure(sentence: string, cause: unknown): JobError {
  return new JobError("fetch_failed", sentence, { cause });
}

/** What went wrong with a request, as a `JobError` whose sentence names no address. */
export function explainFailure(error: unknown): JobError {
  if (error instanceof JobError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return fetchTimeout(error);
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") {
    return fetchFailure("The server's answer has too many headers.", error);
  }
  if (/CERT|TLS|SSL|SIGNATURE|UNABLE_TO/.test(code)) {
    return fetchFailure("The server's TLS certificate or encryption is not valid.", error);
  }
  if (code.startsWith("HPE_")) {
    return fetchFailure("The server's answer is not valid HTTP.", error);
  }
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/.test(code)) {
    return fetchFailure("The server cannot be reached.", error);
  }
  return fetchFailure("The server ended the connection before the whole file was there.", error);
}

/** The first value of the header `name` (lower case). */
export function header(response: PinnedResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
