import { once } from "node:events";
import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";

/** A request for a file, and the part of it that a correct server sends. */
export interface RangeRequest {
  /** The index of the request, from 0, in the order of the requests. */
  readonly index: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The bytes of the whole file. */
  readonly bytes: number;
  readonly start: number;
  /** The exclusive end of the range. */
  readonly end: number;
  /** Headers of a correct response with status 206. */
  readonly headers: Record<string, string | number>;
  /** Sends a correct response, with `headers` in addition. */
  send(headers?: Record<string, string | number>): void;
  /** The bytes of a range. */
  content(start: number, end: number): Readable;
}

/** Responds to a request, correctly or not. Returns true to let the host respond correctly. */
export type RangeBehavior = (request: RangeRequest) => boolean | undefined;

/** Serves one file at every path in ranges, and counts what it sends. */
export class RangeHost {
  readonly port: number;
  /** The `Range` of each request; undefined for one without. */
  ranges: (string | undefined)[] = [];
  behave: RangeBehavior = () => true;
  path = "";
  readonly #close: () => Promise<void>;
  readonly #sockets: Set<Socket>;
  #closedBytes = 0;

  private constructor(port: number, sockets: Set<Socket>, close: () => Promise<void>) {
    this.port = port;
    this.#sockets = sockets;
    this.#close = close;
  }

  static async start(port = 0): Promise<RangeHost> {
    const sockets = new Set<Socket>();
    const server = createServer((request, response) => host.#handle(request, response));
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          host.#closedBytes += socket.bytesWritten;
          sockets.delete(socket);
        });
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (typeof address !== "object" || !address) throw new Error("no port");
    const host = new RangeHost(address.port, sockets, async () => {
      server.close();
      server.closeAllConnections();
    });
    return host;
  }

  /** Serves the file at `path` (absolute) from now on; returns its URL. Counters start at 0. */
  serve(path: string, behave: RangeBehavior = () => true): string {
    this.path = path;
    this.behave = behave;
    this.ranges = [];
    this.#closedBytes -= this.sentBytes;
    return `http://127.0.0.1:${this.port}/video.mp4`;
  }

  /** The bytes sent, headers included. */
  get sentBytes(): number {
    return [...this.#sockets].reduce((sum, one) => sum + one.bytesWritten, this.#closedBytes);
  }

  close(): Promise<void> {
    return this.#close();
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { size: bytes } = statSync(this.path);
    const { range } = request.headers;
    const index = this.ranges.push(range) - 1;
    const [, first = "0", last = ""] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
    const start = Number(first);
    const end = Math.min(last === "" ? bytes : Number(last) + 1, bytes);
    const content = (from: number, to: number) =>
      to > from ? createReadStream(this.path, { start: from, end: to - 1 }) : Readable.from([]);
    const headers = {
      etag: '"one"',
      "accept-ranges": "bytes",
      "content-type": "video/mp4",
      "content-length": end - start,
      ...(range ? { "content-range": `bytes ${start}-${end - 1}/${bytes}` } : {}),
    };
    const send = (more: Record<string, string | number> = {}) => {
      response.writeHead(range ? 206 : 200, { ...headers, ...more });
      content(start, end).pipe(response);
    };
    if (this.behave({ index, request, response, bytes, start, end, headers, send, content })) {
      send();
    }
  }
}
