import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import busboy from "busboy";
import type { UploadThingOptions } from "#lib/storage/uploadthing.ts";

const apiKey = "sk_live_of_the_tests";
const appId = "testapp";

class SignatureError extends Error {}

export interface UploadThingServer {
  readonly options: UploadThingOptions;
  /** Names of all stored files. */
  listFiles(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Starts a server with UploadThing's documented API on loopback: signed URLs for uploads as forms and
 * for downloads (of a public app also without a signature), deletion with the API key. A custom id stays reserved after its file is deleted.
 */
export async function startUploadThingServer(
  access: "private" | "public" = "private",
): Promise<UploadThingServer> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-uploadthing-"));
  const customIds = new Map<string, string>();
  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      request.resume();
      if (response.headersSent) response.destroy(error);
      else
        response
          .writeHead(error instanceof SignatureError ? 403 : 500)
          .end(JSON.stringify({ error: error.message }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  const host = `localhost:${address.port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `http://${host}`);
    if (url.pathname === "/v6/deleteFiles") return deleteFiles(request, response);
    if (url.pathname === "/v6/listFiles") return listFiles(request, response);
    if (request.method === "PUT") {
      requireSignature(url);
      return receiveFile(request, response, url);
    }
    if (access === "private" || url.search !== "") requireSignature(url);
    return sendFile(request, response, url);
  }

  async function receiveFile(request: IncomingMessage, response: ServerResponse, url: URL) {
    const key = url.pathname.split("/").at(-1) ?? "";
    const customId = url.searchParams.get("x-ut-custom-id") ?? "";
    if (customIds.has(customId)) throw new Error("custom id already used");
    customIds.set(customId, key);
    const path = join(folder, key);
    const form = busboy({ headers: request.headers });
    const written: Promise<void>[] = [];
    form.on("file", (_name, file) => written.push(pipeline(file, createWriteStream(path))));
    await pipeline(request, form);
    await Promise.all(written);
    const { size } = await stat(path);
    if (size !== Number(url.searchParams.get("x-ut-file-size"))) {
      await rm(path);
      throw new Error("file differs from its declared size");
    }
    const ufsUrl = `http://${host}/a/${appId}/${key}`;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ url: ufsUrl, appUrl: ufsUrl, ufsUrl, fileHash: "" }));
  }

  async function sendFile({ headers }: IncomingMessage, response: ServerResponse, url: URL) {
    const path = join(folder, url.pathname.split("/").at(-1) ?? "");
    const size = await stat(path).then(
      (stats) => stats.size,
      () => undefined,
    );
    if (size === undefined) return void response.writeHead(404).end();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const start = Number(first ?? 0);
    const end = Math.min(Number(last ?? size - 1), size - 1);
    response.writeHead(headers.range ? 206 : 200, { "content-length": end - start + 1 });
    await pipeline(createReadStream(path, { start, end }), response);
  }

  function listFiles({ headers }: IncomingMessage, response: ServerResponse): void {
    if (headers["x-uploadthing-api-key"] !== apiKey) throw new Error("invalid API key");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ hasMore: false, files: [] }));
  }

  async function deleteFiles(request: IncomingMessage, response: ServerResponse) {
    if (request.headers["x-uploadthing-api-key"] !== apiKey) throw new Error("invalid API key");
    // The format of this request in the client's types.
    const body = (await json(request)) as { customIds: string[] };
    const keys = body.customIds.flatMap((id) => customIds.get(id) ?? []);
    for (const key of keys) await rm(join(folder, key), { force: true });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, deletedCount: keys.length }));
  }

  return {
    options: {
      token: Buffer.from(JSON.stringify({ apiKey, appId, regions: ["here"] })).toString("base64"),
      apiUrl: `http://${host}`,
      ingestUrl: `http://${host}`,
      ufsHost: host,
      ufsAppIdLocation: "path",
    },
    listFiles: () => readdir(folder),
    async close() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Checks the signature, the last query parameter: HMAC-SHA256 of the URL before it, with the API key. */
function requireSignature(url: URL): void {
  const [signed = "", signature] = url.href.split("&signature=");
  const digest = createHmac("sha256", apiKey).update(signed).digest("hex");
  const isValid = decodeURIComponent(signature ?? "") === `hmac-sha256=${digest}`;
  const isCurrent = Number(url.searchParams.get("expires")) > Date.now();
  if (!isValid || !isCurrent) throw new SignatureError("invalid or expired signature");
}
