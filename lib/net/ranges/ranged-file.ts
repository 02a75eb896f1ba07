import { setTimeout as wait } from "node:timers/promises";
import type { Pool } from "undici";
import { JobError } from "#lib/errors.ts";
import { ResponseStatusError } from "../fetch-errors.ts";
import { type Network, parseOrReject } from "../network.ts";
import {
  openPinnedPool,
  type PinnedPeer,
  type PinnedResponse,
  readChunks,
  readHeader,
  sendPinned,
} from "../pinned-request.ts";
import {
  fileRequestHeaders,
  followRedirects,
  type HeadersOf,
  keepsCredentials,
  redirectStatuses,
} from "../redirects.ts";
import {
  conditionOf,
  type FileVersion,
  formatRange,
  type Range,
  RangesUnusableError,
  readRange,
  readValidators,
  requireSameVersion,
} from "./content-range.ts";

/** A file at a URL that is read in part, and what is needed to go on reading it elsewhere. */
export interface RemoteFile extends FileVersion {
  /** The URL that was requested. */
  readonly url: string;
  /** The URL after redirects. */
  readonly finalUrl: string;
  /** Headers of each request in addition. */
  readonly headers?: HeadersOf;
}

/** Requests at the same time to one file. */
const maxConnections = 4;

/** Attempts without a byte after which reading fails. */
const maxAttempts = 3;
const retryMs = 100;
const temporaryStatuses: readonly number[] = [429, 500, 502, 503, 504];
/** A redirect may lead to a URL that expires; the requested URL then leads to another one. */
const expiredStatuses: readonly number[] = [...redirectStatuses, 401, 403, 404, 410];

/** The connection failed, or the server is overloaded. The cause is the `JobError`. */
class TemporaryError extends Error {
  override readonly name = "TemporaryError";
}

/**
 * Reads ranges of a file at a URL, over connections that stay open. Every request is checked and
 * pinned like those of `fetchToFile`, and all ranges must be of the same version of the file.
 */
export class RangedFile {
  readonly bytes: number;
  readonly #file: RemoteFile;
  readonly #network: Network;
  #location: string;
  #connection: Promise<{ readonly peer: PinnedPeer; readonly pool: Pool }> | undefined;

  constructor(file: RemoteFile, network: Network) {
    this.bytes = file.bytes;
    this.#file = file;
    this.#network = network;
    this.#location = file.finalUrl;
  }

  /**
   * The bytes from `start` to `end` (exclusive, at most the size), in order. A connection that breaks
   * is replaced. Throws `RangesUnusableError`; `JobError` `fetch_failed` if the file has changed or
   * cannot be reached, `fetch_timeout` and `address_refused`; and the reason of an aborted signal.
   */
  async *read(start: number, end: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let at = start;
    let attempts = 0;
    while (at < end) {
      const before = at;
      try {
        for await (const chunk of this.#request({ start: at, end }, signal)) {
          at += chunk.length;
          yield chunk;
        }
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof TemporaryError)) throw error;
        attempts = at > before ? 1 : attempts + 1;
        if (attempts >= maxAttempts) throw error.cause;
        await wait(retryMs * attempts, undefined, { signal });
      }
    }
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.pool.destroy();
  }

  async *#request(wanted: Range, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let response = await this.#send(wanted, signal);
    if (expiredStatuses.includes(response.status)) {
      await response.close();
      await this.#locate(wanted, signal);
      response = await this.#send(wanted, signal);
    }
    try {
      let missing = this.#check(response, wanted);
      const chunks = readChunks(response.body, this.#network.limits.chunkMs);
      while (missing > 0) {
        const { done, value } = await temporary(chunks.next());
        if (done) throw temporaryError("the body ended before the end of the range");
        missing -= value.length;
        if (missing < 0) throw new RangesUnusableError("the range is longer than declared");
        yield value;
      }
      // At its end, so that the connection can be used again.
      if (readHeader(response, "content-length")) await chunks.next().catch(() => {});
    } finally {
      await response.close();
    }
  }

  async #send(wanted: Range, signal: AbortSignal): Promise<PinnedResponse> {
    this.#connection ??= this.#connect();
    const { peer, pool } = await this.#connection;
    const condition = conditionOf(this.#file);
    const headers = {
      ...fileRequestHeaders,
      ...(await this.#headers()),
      range: formatRange(wanted),
      ...(condition ? { "if-range": condition } : {}),
    };
    return temporary(sendPinned(pool, { ...peer, method: "GET", headers, signal }));
  }

  async #headers(): Promise<Readonly<Record<string, string>>> {
    const { headers } = this.#file;
    if (!headers) return {};
    const [requested, url] = [new URL(this.#file.url), new URL(this.#location)];
    return headers({ url, requested, isTrusted: keepsCredentials(requested, url) });
  }

  async #connect() {
    const network = this.#network;
    const { guard, purpose } = network;
    const target = await guard.check(parseOrReject(this.#location, purpose), purpose);
    const peer = { target, network };
    return { peer, pool: await openPinnedPool(peer, maxConnections) };
  }

  /** Follows the redirects of the requested URL again. */
  async #locate(wanted: Range, signal: AbortSignal): Promise<void> {
    const headers = { range: formatRange(wanted) };
    const { response, url } = await followRedirects(
      this.#file.url,
      this.#network,
      signal,
      async (hop) => ({ ...(await this.#file.headers?.(hop)), ...headers }),
    );
    await response.close();
    await this.close();
    this.#location = url.href;
    this.#connection = undefined;
  }

  /** The bytes of the response's range. Throws if it is not of the wanted range and version. */
  #check(response: PinnedResponse, wanted: Range): number {
    const { status } = response;
    if (status === 206) {
      const range = readRange(response, wanted);
      requireSameVersion(this.#file, range);
      return range.end - range.start;
    }
    if (status === 200) {
      requireSameVersion(this.#file, readValidators(response));
      throw new RangesUnusableError("the server sent the whole file instead of a range");
    }
    if (status === 416) throw new RangesUnusableError("the server does not have the range");
    const error = new ResponseStatusError(status);
    throw temporaryStatuses.includes(status) ? new TemporaryError("", { cause: error }) : error;
  }
}

async function temporary<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const isTemporary = error instanceof JobError && error.code === "fetch_failed";
    throw isTemporary ? new TemporaryError(error.message, { cause: error }) : error;
  }
}

function temporaryError(reason: string): TemporaryError {
  const message = "The server closed the connection before the end of the file.";
  return new TemporaryError(reason, { cause: new JobError("fetch_failed", message) });
}
