import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebServer } from "#lib/server/server.ts";
import { closeGently } from "#lib/server/shutdown.ts";

/** Refuses after the first piece of a body, and leaves the rest unread as a route handler does. */
const server = createWebServer(async (request, response) => {
  const pieces = request[Symbol.asyncIterator]();
  if (request.method === "POST") await pieces.next();
  response.end(`answer to ${request.url}.`);
});

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => closeGently(server));

test("a client that sends on after its answer reads it, and may ask again", async () => {
  const address = server.address();
  const socket = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  const piece = Buffer.alloc(1_000_000, "a");
  socket.write(
    `POST /first HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${8 * piece.length}\r\n\r\n`,
  );
  for (let count = 0; count < 8; count++) {
    await new Promise((resolve) => socket.write(piece, resolve));
  }
  socket.write("GET /second HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  await once(socket, "close");
  expect(text.match(/answer to \/\w+/g)).toEqual(["answer to /first", "answer to /second"]);
});
