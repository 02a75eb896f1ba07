import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { trackConnections } from "#lib/server/connections.ts";
import { createWebServer } from "#lib/server/server.ts";
import { shutDownGracefully } from "#lib/server/shutdown.ts";

const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

const respond: RequestListener = (_, response) => void response.end("done");

async function listen(server: Server): Promise<Server> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

/** Connects a client that sends `bytes` and never closes its side. */
async function open(server: Server, bytes: string): Promise<Socket> {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const accepted = once(server, "connection");
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  clients.push(client);
  client.on("error", () => {}).write(bytes);
  await accepted;
  return client;
}

/** How long the shutdown takes, in milliseconds. */
async function measureShutdown(server: Server, gracePeriodMs: number): Promise<number> {
  const start = performance.now();
  await shutDownGracefully(server, gracePeriodMs);
  return performance.now() - start;
}

const host = "Host: localhost\r\n";
const upgrade = `GET /elsewhere HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

test.each([
  ["no request", ""],
  ["a completed request", `GET / HTTP/1.1\r\n${host}\r\n`],
  ["a completed HTTP/1.0 request", "GET / HTTP/1.0\r\n\r\n"],
  ["a request for another host", "GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n"],
  ["text that is not HTTP", "hello\r\n\r\n"],
  ["an upgrade that was ignored", upgrade],
])("a connection with %s does not delay the shutdown", async (_, bytes) => {
  const server = await listen(createWebServer(respond));
  const client = await open(server, bytes);
  if (bytes) await once(client, "data");
  expect(await measureShutdown(server, 10_000)).toBeLessThan(5000);
});

test.each([
  ["headers that never end", `GET / HTTP/1.1\r\n${host}`],
  ["a body that never ends", `POST / HTTP/1.1\r\n${host}Content-Length: 9\r\n\r\nabc`],
  ["a request without a response", `GET / HTTP/1.1\r\n${host}\r\n`],
])("a connection with %s ends with the grace period", async (_, bytes) => {
  const server = await listen(createWebServer(() => {}));
  await open(server, bytes);
  const elapsedMs = await measureShutdown(server, 500);
  expect(elapsedMs).toBeGreaterThanOrEqual(499);
  // The default is longer than the test may take.
  expect(elapsedMs).toBeLessThan(10_000);
});

test("a running request is completed before its connection ends", async () => {
  const server = await listen(
    createWebServer((_, response) => void setTimeout(() => response.end("completed"), 300)),
  );
  const client = await open(server, `GET / HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  const received = text(client);
  await once(server, "request");
  await measureShutdown(server, 10_000);
  expect(await received).toContain("completed");
});

test("a connection that was upgraded does not delay the shutdown", async () => {
  const server = createServer(respond).on("upgrade", (_, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  });
  trackConnections(server);
  await listen(server);
  await once(await open(server, upgrade), "data");
  expect(await measureShutdown(server, 10_000)).toBeLessThan(5000);
});

test("a request that offers another protocol gets an ordinary response", async () => {
  // Next.js adds a listener that leaves unknown paths without a response.
  const server = await listen(createWebServer(respond).on("upgrade", () => {}));
  const client = await open(
    server,
    `POST /v1/x HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n` +
      "HTTP2-Settings: AAMAAABkAARAAAAA\r\nContent-Length: 3\r\n\r\nabc",
  );
  expect(await text(client)).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n.*done/s);
  await shutDownGracefully(server);
});
