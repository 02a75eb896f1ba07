import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebServer } from "#lib/server/server.ts";
import { shutDownGracefully } from "#lib/server/shutdown.ts";

/** Responds after the first chunk of a body and leaves the rest unread, as a route handler does. */
const server = createWebServer(async (request, response) => {
  const chunks = request[Symbol.asyncIterator]();
  if (request.url === "/iterated") await chunks.next();
  if (request.url === "/listened") {
    const onData = () => {};
    await once(request.on("data", onData), "data");
    request.off("data", onData);
  }
  response.end(`response to ${request.url}.`);
});

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => shutDownGracefully(server));

test.each(["iterated", "listened"])(
  "a client that is still sending a body that is %s can read its response and send another request",
  async (path) => {
    const address = server.address();
    const socket = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (received) => {
      text += received;
    });
    const chunk = Buffer.alloc(1_000_000, "a");
    socket.write(
      `POST /${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${8 * chunk.length}\r\n\r\n`,
    );
    for (let count = 0; count < 8; count++) {
      await new Promise((resolve) => socket.write(chunk, resolve));
    }
    socket.write("GET /second HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    await once(socket, "close");
    expect(text.match(/response to \/\w+/g)).toEqual([
      `response to /${path}`,
      "response to /second",
    ]);
  },
);
