import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";

/** A file that the store has received. */
export interface StoredPut {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** How the store treats the files of a path. */
export type PutBehavior =
  | "store"
  /** 503 for the first two requests. */
  | "busy twice"
  | "denied"
  | "redirect"
  /** Never responds. */
  | "hang"
  /** Cuts the connection in the middle of the first file. */
  | "cut once"
  /** Responds with the checksum of other bytes. */
  | "wrong checksum"
  /** Responds with what is no checksum, because it encrypts the file. */
  | "encrypted";

const denied =
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message><RequestId>1</RequestId></Error>';

/** An object store that takes files by `PUT`, as with presigned URLs, on loopback. */
export class PutStore {
  readonly #server: Server;
  readonly #behaviors = new Map<string, PutBehavior>();
  readonly #requests = new Map<string, number>();
  readonly files = new Map<string, StoredPut>();

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const path = (request.url ?? "").replace(/\?.*/, "");
      const count = this.requestsOf(path) + 1;
      this.#requests.set(path, count);
      const behavior = this.#behaviors.get(path) ?? "store";
      if (behavior === "hang") return;
      if (behavior === "denied") return void response.writeHead(403).end(denied);
      if (behavior === "redirect") {
        return void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end();
      }
      if (behavior === "busy twice" && count <= 2) return void response.writeHead(503).end();
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of request) {
          chunks.push(chunk);
          if (behavior === "cut once" && count === 1) request.destroy();
        }
      } catch {
        return;
      }
      const body = Buffer.concat(chunks);
      this.files.set(path, { headers: request.headers, body });
      const md5 = createHash("md5");
      if (behavior !== "wrong checksum") md5.update(body);
      const etag = behavior === "encrypted" ? "0".repeat(32) : md5.digest("hex");
      const encryption =
        behavior === "encrypted" ? { "x-amz-server-side-encryption": "aws:kms" } : {};
      response.writeHead(200, { etag: `"${etag}"`, ...encryption }).end();
    });
  }

  static async start(port: number): Promise<PutStore> {
    const store = new PutStore();
    store.#server.listen(port, "127.0.0.1");
    await once(store.#server, "listening");
    return store;
  }

  /** How the files of `path` are treated from now on. */
  treat(path: string, behavior: PutBehavior): void {
    this.#behaviors.set(path, behavior);
  }

  /** The requests for `path` so far. */
  requestsOf(path: string): number {
    return this.#requests.get(path) ?? 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
