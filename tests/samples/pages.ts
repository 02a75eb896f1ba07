import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { closeChromium } from "#lib/engines/chromium/chromium.ts";
import { env } from "#lib/env.ts";
import { htmlToPdf } from "#lib/operations/document/html-to-pdf/index.ts";
import { temporaryFolder } from "../servers/net.ts";
import { type OperationRun, runOperation, type Sample } from "../support/operation.ts";

/** A server on loopback and what was asked of it. */
export interface Host {
  readonly server: Server;
  readonly address: string;
  readonly visits: string[];
}

const red = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "base64",
);

/** One that the environment allows to be fetched from, one that it does not; from before all tests on. */
export let allowed: Host;
export let forbidden: Host;

beforeAll(async () => {
  [allowed, forbidden] = await Promise.all([startHost(), startHost()]);
  // Read when the browser's proxy starts, with the first page.
  env.FETCH_ALLOW.push(new URL(allowed.address).host);
});

afterAll(async () => {
  await closeChromium();
  for (const { server } of [allowed, forbidden]) {
    server.closeAllConnections();
    server.close();
  }
});

beforeEach(() => {
  forbidden.visits.length = 0;
  allowed.visits.length = 0;
});

/** Prints `html` by the operation. */
export async function printPage(
  html: string | Buffer,
  params: Record<string, unknown> = {},
  origin: Pick<Sample, "url" | "charset"> = {},
): Promise<OperationRun & { path: string }> {
  const path = join(temporaryFolder(), "page.html");
  await writeFile(path, html);
  const run = await runOperation(htmlToPdf, { path, type: "html", ...origin }, params);
  return { ...run, path: run.outputs[0]?.path ?? "" };
}

async function startHost(): Promise<Host> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? "");
    if (request.url === "/pages/red.png") {
      return void response.writeHead(200, { "content-type": "image/png" }).end(red);
    }
    if (request.url === "/pages/style.css") {
      return void response
        .writeHead(200, { "content-type": "text/css" })
        .end("p { margin-left: 100px }");
    }
    if (request.url === "/data") return void setTimeout(() => response.end("fetched"), 150);
    if (request.url === "/never") return;
    if (request.url === "/redirect") {
      return void response.writeHead(302, { location: `${forbidden.address}/a` }).end();
    }
    if (request.url?.startsWith("/redirect-to/")) {
      const location = decodeURIComponent(request.url.slice("/redirect-to/".length));
      return void response.writeHead(302, { location }).end();
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address of this shape.
  const { port } = server.address() as AddressInfo;
  return { server, address: `http://127.0.0.1:${port}`, visits };
}
