import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Faults, noFaults } from "./real-store.ts";

/** What a front decides about a request before its store gets it. */
export type Decision =
  | { readonly status: number; readonly body?: string }
  /** Passed on, with another URL or other headers. */
  | { readonly url?: string; readonly headers?: IncomingHttpHeaders };

export interface FrontOptions {
  /** The port of the store. */
  readonly port: number;
  /** Whether a request reads or writes a file, and not a list or the state of one. */
  readonly isFile: (request: IncomingMessage) => boolean;
  readonly decide?: (request: IncomingMessage) => Decision;
  /** Gets the body of a short response before it is sent on, and may replace it. */
  readonly rewrite?: (
    request: IncomingMessage,
    status: number,
    body: string,
  ) => Decision | undefined;
  /** What a store that has no space left responds with. */
  readonly fullBody?: string;
}

/** A server in front of a store with HTTP, which can fail as networks and stores do. */
export interface HttpFront {
  readonly port: number;
  readonly faults: Faults;
  /** Bytes of files that were sent. */
  readonly sentBytes: () => number;
  close(): Promise<void>;
}

export async function startHttpFront(options: FrontOptions): Promise<HttpFront> {
  const faults = noFaults();
  let sentBytes = 0;
  const server = createServer((request, response) => {
    const isFile = options.isFile(request);
    const isWrite = request.method === "PUT" && isFile;
    const isRead = request.method === "GET" && isFile;
    if (faults.hangs && isFile) return void request.resume();
    if (faults.isFull && isWrite) {
      return void answer(request, response, { status: 507, body: options.fullBody ?? "Full" });
    }
    if (faults.failNext > 0 && (isRead || isWrite)) {
      faults.failNext--;
      return void answer(request, response, { status: 500, body: "Try again" });
    }
    const decision = options.decide?.(request) ?? {};
    if ("status" in decision) return void answer(request, response, decision);
    const to = sendRequest(
      {
        host: "127.0.0.1",
        port: options.port,
        method: request.method,
        path: decision.url ?? request.url,
        headers: decision.headers ?? request.headers,
      },
      (from) => void passOn(from),
    );
    to.on("error", () => response.destroy());
    response.on("close", () => response.writableFinished || to.destroy());
    if (isWrite && faults.cutPuts > 0) {
      faults.cutPuts--;
      // Half of the file arrives.
      request.once("data", (chunk: Buffer) => {
        to.write(chunk.subarray(0, chunk.length / 2), () => {
          to.destroy();
          request.destroy();
        });
      });
    } else request.pipe(to);

    async function passOn(from: IncomingMessage): Promise<void> {
      const status = from.statusCode ?? 500;
      if (options.rewrite && !isRead) {
        const body = await text(from);
        const other = options.rewrite(request, status, body);
        if (other && "status" in other) return answer(request, response, other);
        response.writeHead(status, from.headers).end(body);
        return;
      }
      const isCut = isRead && status < 300 && faults.cutGets > 0;
      if (isCut) faults.cutGets--;
      from.on("data", (chunk: Buffer) => {
        if (isFile) sentBytes += chunk.length;
      });
      response.writeHead(status, from.headers);
      if (!isCut) return void from.pipe(response);
      from.once("data", (chunk: Buffer) => {
        response.write(chunk.subarray(0, chunk.length / 2), () => response.destroy());
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A server that listens on TCP has an address of this type.
    port: (server.address() as AddressInfo).port,
    faults,
    sentBytes: () => sentBytes,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body = "" }: { readonly status: number; readonly body?: string },
): Promise<void> {
  for await (const _ of request) {
    // A client that still sends must be able to read the response.
  }
  response.writeHead(status, { "content-type": "application/xml" }).end(body);
}

/** The body with which S3 and Google Cloud Storage explain a status. */
export function s3Error(code: string): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Refused by the test.</Message></Error>`;
}
