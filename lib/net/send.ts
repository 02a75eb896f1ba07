import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { type Network, parseOrReject, userAgent, withDeadline } from "./network.ts";
import { loadUndici, type PinnedResponse, readChunks, requestPinned } from "./pinned-request.ts";

export interface GuardedRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The most time from the check of the URL to the status of the response. */
  readonly timeoutMs: number;
  /** The most bytes of the response body that are read. */
  readonly maxResponseBytes: number;
  readonly signal?: AbortSignal;
}

export interface GuardedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body as text, without NUL characters. */
  readonly bodyStart: string;
}

/**
 * Sends one small request and reads the beginning of the response. Does not follow redirects. Once
 * the status has arrived in time, failures of the body are ignored. Throws `JobError` like
 * `fetchToFile`.
 */
export async function guardedRequest(
  request: GuardedRequest,
  network: Network,
): Promise<GuardedResponse> {
  const stopped = request.signal ?? new AbortController().signal;
  await loadUndici();
  return withDeadline(stopped, request.timeoutMs, async (signal) => {
    const { guard, purpose, limits } = network;
    const target = await guard.check(parseOrReject(request.url, purpose), purpose);
    const response = await requestPinned({
      target,
      network: { ...network, limits: { ...limits, headersMs: request.timeoutMs } },
      method: request.method,
      headers: { "user-agent": userAgent, "accept-encoding": "identity", ...request.headers },
      body: request.body ?? null,
      signal,
    });
    try {
      const headers = Object.entries(response.headers).map(([name, value]) => [name, `${value}`]);
      const bodyStart = await readStart(response, request.maxResponseBytes, limits.chunkMs);
      return { status: response.status, headers: Object.fromEntries(headers), bodyStart };
    } finally {
      await response.close();
    }
  });
}

/** The beginning of the response's body as text, without NUL characters. */
export async function readStart(
  response: PinnedResponse,
  maxBytes: number,
  chunkMs: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of readChunks(response.body, chunkMs)) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) break;
    }
  } catch {
    // A body that stalls or breaks off does not change the status.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8").replaceAll("\0", "");
}

/** A request whose body is a file. */
export interface StreamedRequest {
  readonly method: "POST" | "PUT" | "PATCH";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Opens the body. It is called once the URL has passed the guard. */
  readonly open: () => Promise<Readable | Uint8Array>;
  /** The size of the body; undefined if it is not known. */
  readonly bytes: number | undefined;
  /** The most time from the check of the URL to the status of the response. */
  readonly timeoutMs: number;
}

/**
 * Sends one request and returns the status of the response. Does not follow redirects. Throws `JobError` like
 * `fetchToFile`, and what `open` throws.
 */
export async function sendStream(request: StreamedRequest, network: Network): Promise<number> {
  const stopped = new AbortController().signal;
  await loadUndici();
  return withDeadline(stopped, request.timeoutMs, async (signal) => {
    const { guard, purpose, limits } = network;
    const target = await guard.check(parseOrReject(request.url, purpose), purpose);
    const length = request.bytes === undefined ? {} : { "content-length": String(request.bytes) };
    const body = await request.open();
    // A failure of the body fails the request as well. Without a listener, it would end the process.
    if (body instanceof Readable) body.on("error", () => {});
    try {
      const response = await requestPinned({
        target,
        network: { ...network, limits: { ...limits, headersMs: request.timeoutMs } },
        method: request.method,
        headers: { "accept-encoding": "identity", ...request.headers, ...length },
        body,
        signal,
      });
      await response.close();
      return response.status;
    } finally {
      if (body instanceof Readable) body.destroy();
    }
  });
}
