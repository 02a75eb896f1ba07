import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";
import { RequestCounter } from "./request-counter.ts";
import { WebhookReceivers } from "./webhook-receiver.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".mp4": "video/mp4",
};

/**
 * Serves the files of `folder` on loopback, as a source of inputs. `/drip` has a slow body that never ends,
 * `/endless` a fast one, `/to-private` redirects to a private address, `/hang` never responds, `/slow` responds after 6 s, files can be sent with `PUT`, paths under `/hook/` receive webhooks, and requests below
 * `/count/<name>/` are counted.
 */
export async function startFileServer(
  folder: string,
  port = 0,
): Promise<{ server: Server; port: number }> {
  const hooks = new WebhookReceivers();
  const counter = new RequestCounter();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://host");
    const { pathname } = url;
    if (request.method === "PUT") return void receive(request, response);
    if (pathname === "/drip") return drip(response);
    if (pathname === "/endless") return void pipeline(endlessBytes, response).catch(() => {});
    if (pathname === "/to-private") {
      return void response.writeHead(302, { location: "http://192.168.0.1/a.jpg" }).end();
    }
    if (pathname === "/hang" || pathname.startsWith("/hang/")) return;
    if (pathname === "/slow") return void setTimeout(() => response.end("at last"), 6000);
    if (pathname.startsWith("/hook/")) return void hooks.handle(url, request, response);
    if (pathname.startsWith("/count/")) return counter.handle(pathname, response);
    const path = join(folder, normalize(decodeURIComponent(pathname)));
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": types[extname(path)] ?? "application/octet-stream",
      "content-length": stats.size,
    });
    createReadStream(path).pipe(response);
  }).listen(port, "127.0.0.1");
  server.on("upgrade", (request, socket) => counter.handleUpgrade(request, socket));
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return { server, port: address.port };
}

/** Takes a file as an object store does, and forgets it. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const md5 = createHash("md5");
  for await (const chunk of request) md5.update(chunk);
  response.writeHead(200, { etag: `"${md5.digest("hex")}"` }).end();
}

async function* endlessBytes() {
  const block = Buffer.alloc(2 ** 20, "\xff\xd8\xff", "latin1");
  while (true) yield block;
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/plain" });
  const timer = setInterval(() => response.write("."), 200);
  response.on("close", () => clearInterval(timer));
}
