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

export interface UploadThingServer {
  readonly options: UploadThingOptions;
  /** Names of all files that it holds. */
  held(): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * UploadThing on loopback, as its documentation describes it: files are put at signed addresses as
 * a form, deleted by API key, and got at signed addresses. A custom id stays taken when its file
 * is deleted.
 */
export async function startUploadThingServer(): Promise<UploadThingServer> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-uploadthing-"));
  const customIds = new Map<string, string>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      request.resume();
      if (response.headersSent) response.destroy(error);
      else response.writeHead(500).end(JSON.stringify({ error: error.message }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  const host = `localhost:${address.port}`;

  function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `http://${host}`);
    if (url.pathname === "/v6/deleteFiles") return deleteFiles(request, response);
    requireSignature(url);
    return request.method === "PUT"
      ? takeFile(request, response, url)
      : sendFile(request, response, url);
  }

  async function takeFile(request: IncomingMessage, response: ServerResponse, url: URL) {
    const key = url.pathname.split("/").at(-1) ?? "";
    const customId = url.searchParams.get("x-ut-custom-id") ?? "";
    if (customIds.has(customId)) throw new Error("the custom id is taken");
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
      throw new Error("the file has another size than announced");
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

  async function deleteFiles(request: IncomingMessage, response: ServerResponse) {
    if (request.headers["x-uploadthing-api-key"] !== apiKey) throw new Error("not your files");
    // What the client's own types say of this request.
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
    held: () => readdir(folder),
    async stop() {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The address up to its signature, which stands last, under HMAC-SHA256 with the API key. */
function requireSignature(url: URL): void {
  const [signed = "", signature] = url.href.split("&signature=");
  const digest = createHmac("sha256", apiKey).update(signed).digest("hex");
  const isValid = decodeURIComponent(signature ?? "") === `hmac-sha256=${digest}`;
  const isCurrent = Number(url.searchParams.get("expires")) > Date.now();
  if (!isValid || !isCurrent) throw new Error("the address is not signed");
}
