import { writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { closeChromium } from "#lib/engines/chromium/chromium.ts";
import { env } from "#lib/env.ts";
import { htmlToPdf } from "#lib/operations/document/html-to-pdf/index.ts";
import { temporaryFolder } from "../servers/net.ts";
import { type OperationRun, runOperation, type Sample } from "../support/operation.ts";

/** A server on loopback, and the paths that it was requested for. */
export interface TestHost {
  readonly server: Server;
  readonly url: string;
  readonly requests: string[];
  /** The headers of the last request for each path. */
  readonly headers: Map<string, IncomingHttpHeaders>;
}

const red = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "base64",
);

/**
 * The hosts that run while the tests run: one that `FETCH_ALLOW` contains, and one that it does
 * not.
 */
export let allowed: TestHost;
export let forbidden: TestHost;

beforeAll(async () => {
  [allowed, forbidden] = await Promise.all([startHost(), startHost()]);
  // The proxy of the browser reads it when it starts, with the first page.
  env.FETCH_ALLOW.push(new URL(allowed.url).host, new URL(otherHost()).host);
});

/** The URL of the allowed server under another host name. */
export function otherHost(): string {
  return allowed.url.replace("127.0.0.1", "localhost");
}

afterAll(async () => {
  await closeChromium();
  for (const { server } of [allowed, forbidden]) {
    server.closeAllConnections();
    server.close();
  }
});

beforeEach(() => {
  forbidden.requests.length = 0;
  allowed.requests.length = 0;
});

/** Converts `html` to PDF with the operation. */
export async function printPage(
  html: string | Buffer,
  params: Record<string, unknown> = {},
  origin: Pick<Sample, "url" | "requestedUrl" | "charset"> = {},
): Promise<OperationRun & { path: string }> {
  const path = join(temporaryFolder(), "page.html");
  await writeFile(path, html);
  const run = await runOperation(htmlToPdf, { path, type: "html", ...origin }, params);
  return { ...run, path: run.outputs[0]?.path ?? "" };
}

async function startHost(): Promise<TestHost> {
  const visits: string[] = [];
  const headers = new Map<string, IncomingHttpHeaders>();
  const server = createServer((request, response) => {
    visits.push(request.url ?? "");
    headers.set(request.url ?? "", request.headers);
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
      return void response.writeHead(302, { location: `${forbidden.url}/a` }).end();
    }
    if (request.url?.startsWith("/redirect-to/")) {
      const location = decodeURIComponent(request.url.slice("/redirect-to/".length));
      return void response.writeHead(302, { location }).end();
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address of this type.
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}`, requests: visits, headers };
}
