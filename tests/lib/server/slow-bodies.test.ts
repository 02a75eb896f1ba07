import { once } from "node:events";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readBytes } from "#lib/api/http/body.ts";
import { errorResponse } from "#lib/api/http/error-response.ts";
import { createWebServer } from "#lib/server/server.ts";
import { shutDownGracefully } from "#lib/server/shutdown.ts";
import { openRequest, sendResponse } from "#lib/server/web-messages.ts";

/** Reads bodies as endpoints do; under /page, as Next.js does, which responds after the server. */
const server = createWebServer(
  async (incoming, outgoing) => {
    if (incoming.url?.startsWith("/page")) {
      await buffer(incoming).catch(() => {});
      return;
    }
    const response = await readBytes(openRequest(incoming, outgoing)).then(
      (bytes) => new Response(`${bytes.length} bytes`),
      (error) => errorResponse(error, { requestId: "req_test" }),
    );
    await sendResponse(response, incoming, outgoing);
  },
  { totalMs: 1500, idleMs: 1500, minBytesPerSecond: 2 },
);

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => shutDownGracefully(server));

const bodyBytes = 48;

/**
 * Sends a request with a body of 48 bytes, `chunk` every `intervalMs`, and at most `chunks` of them, until there is
 * a response.
 */
async function sendSlowly(
  target: string,
  type: string,
  { chunks = bodyBytes, chunk = "x", intervalMs = 300 } = {},
): Promise<string> {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  const head = `${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${bodyBytes}\r\n\r\n`;
  socket.write(head);
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  socket.on("error", () => {});
  for (let count = 0; count < chunks && text === ""; count++) {
    socket.write(chunk);
    await sleep(intervalMs);
  }
  while (text === "") await sleep(50);
  socket.destroy();
  return text;
}

const form = "multipart/form-data; boundary=x";

it.concurrent.each([
  ["a JSON body", "POST /v1/jobs", "application/json"],
  ["a body for a test receiver", "PUT /hooks/x", form],
  ["a body for a page", "POST /page", form],
  ["a body for a page that names forms in its query", "POST /page?next=/forms/", form],
  ["a body for an upload", "POST /uploads/upload_1/complete", "application/json"],
])("%s that takes too long in total ends with 408", async (_, target, type) => {
  const text = await sendSlowly(target, type);
  // A complete body gets 200.
  expect(text).toMatch(/^HTTP\/1.1 408 /);
  expect(text.toLowerCase()).toContain("x-error-code: request_timeout");
  expect(text.toLowerCase()).toContain("connection: close");
});

it.concurrent.each([
  ["POST /v1/image/resize", form],
  ["POST /forms/pdfengines/merge", form],
  ["POST /convert/forms/pdfengines/merge", form],
  ["PUT /uploads/upload_1", "video/mp4"],
  ["POST /uploads/upload_1", "video/mp4\r\nX-HTTP-Method-Override: PATCH"],
])("an upload may take any time (%s)", async (target, type) => {
  // As fast as the slowest allowed upload would be too close to it on a busy machine.
  const sent = { chunk: "x".repeat(8), chunks: bodyBytes / 8 };
  expect(await sendSlowly(target, type, sent)).toContain(`${bodyBytes} bytes`);
});

it.concurrent.each([
  ["POST /v1/image/resize", form],
  ["PUT /uploads/upload_1", "video/mp4"],
])("an upload without progress ends with 408 (%s)", async (target, type) => {
  expect(await sendSlowly(target, type, { chunks: 3 })).toMatch(/^HTTP\/1.1 408 /);
});

it.concurrent.each([
  ["POST /v1/image/resize", form],
  ["PUT /uploads/upload_1", "video/mp4"],
])("an upload that is too slow on average ends with 408 (%s)", async (target, type) => {
  expect(await sendSlowly(target, type, { intervalMs: 1000 })).toMatch(/^HTTP\/1.1 408 /);
});
