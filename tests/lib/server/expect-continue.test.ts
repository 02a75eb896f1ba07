import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebServer } from "#lib/server/server.ts";
import { shutDownGracefully } from "#lib/server/shutdown.ts";

/** Reads the body unless it rejects the request. */
const server = createWebServer(async (request, response) => {
  if (request.url === "/rejected") response.writeHead(401).end("no key");
  else response.end(`received ${await text(request)}.`);
});

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => shutDownGracefully(server));

/** Sends a request with `Expect` and, once it is asked for, the body. Resolves with all that is received. */
async function exchange(path: string, expectation: string, more = ""): Promise<string> {
  const address = server.address();
  const socket = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: ${expectation}\r\n${more}\r\n`,
  );
  if (expectation !== "100-continue") socket.write("hello");
  let received = "";
  for await (const chunk of socket.setEncoding("utf8")) {
    received += chunk;
    if (received === "HTTP/1.1 100 Continue\r\n\r\n") socket.write("hello");
  }
  return received;
}

const close = "Connection: close\r\n";

test("a body is asked for when it is read", async () => {
  const received = await exchange("/", "100-continue", close);
  expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  expect(received).toContain("received hello.");
});

test("the body of a rejected request is not asked for, and the connection is closed", async () => {
  const received = await exchange("/rejected", "100-continue");
  expect(received).toMatch(/^HTTP\/1\.1 401 /);
  expect(received).not.toContain("100 Continue");
  expect(received).toMatch(/^Connection: close\r$/m);
});

test("a connection is kept after a body that was asked for", async () => {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n";
  socket.write(`${head}Expect: 100-continue\r\n\r\n`);
  await once(socket, "data");
  socket.write(`hello${head}${close}\r\nagain`);
  let received = "";
  for await (const chunk of socket) received += chunk;
  expect(received.match(/received \w+\./g)).toEqual(["received hello.", "received again."]);
});

test("an unknown expectation is ignored", async () => {
  expect(await exchange("/", "200-ok", close)).toMatch(/^HTTP\/1\.1 200 [\s\S]*received hello\./);
});
