import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { rejectUnparsableRequest } from "#lib/server/malformed-requests.ts";
import { createWebServer } from "#lib/server/server.ts";
import { shutDownGracefully } from "#lib/server/shutdown.ts";

const server = createWebServer((request, response) => void response.end(`page ${request.url}`));

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => shutDownGracefully(server));

/** Sends raw bytes and returns the whole response. */
async function exchange(bytes: string): Promise<{ head: string; body: string }> {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += chunk;
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { head, body };
}

const host = "Host: localhost\r\nConnection: close\r\n\r\n";

test.each([
  ["a broken escape", `GET /v1/jobs/%E0%A4%A HTTP/1.1\r\n${host}`, 400, "invalid_request"],
  ["a lone percent sign", `GET /v1/% HTTP/1.1\r\n${host}`, 400, "invalid_request"],
  ["an unsupported method", `PROPFIND /v1/jobs HTTP/1.1\r\n${host}`, 405, "method_not_allowed"],
  ["an unknown method", `NONSENSE /v1/jobs HTTP/1.1\r\n${host}`, 400, "invalid_request"],
  ["text that is not HTTP", "hello\r\n\r\n", 400, "invalid_request"],
  ["no host", "GET /v1/jobs HTTP/1.1\r\n\r\n", 400, "invalid_request"],
  ["an invalid host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "invalid_request"],
  [
    "two hosts",
    `GET /v1/jobs HTTP/1.1\r\nHost: elsewhere.example\r\n${host}`,
    400,
    "invalid_request",
  ],
  ["the same host twice", `GET / HTTP/1.1\r\nHost: localhost\r\n${host}`, 400, "invalid_request"],
  ["two hosts in HTTP/1.0", `GET / HTTP/1.0\r\nHost: localhost\r\n${host}`, 400, "invalid_request"],
  [
    "a URL of another host",
    `GET http://elsewhere.example/v1 HTTP/1.1\r\n${host}`,
    421,
    "invalid_request",
  ],
  ["a URL of another scheme", `GET ftp://localhost/v1 HTTP/1.1\r\n${host}`, 400, "invalid_request"],
  ["a URL with a user", `GET http://a@localhost/v1 HTTP/1.1\r\n${host}`, 400, "invalid_request"],
  ["a target without a path", `OPTIONS * HTTP/1.1\r\n${host}`, 400, "invalid_request"],
  [
    "two lengths",
    `POST /v1/x HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${host}`,
    400,
    "invalid_request",
  ],
  [
    "20 KB of headers",
    `GET /v1 HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n${host}`,
    431,
    "invalid_request",
  ],
])("%s is rejected in the common error format", async (_, bytes, status, code) => {
  const { head, body } = await exchange(bytes);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain(`X-Error-Code: ${code}`);
  expect(head).toMatch(/X-Request-Id: req_\w{24}/);
  expect(head).toContain("X-Content-Type-Options: nosniff");
  expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/\.$/) });
});

test.each([
  ["/docs/%E0", "page /docs/%E0"],
  ["/v1/jobs?q=%E0", "page /v1/jobs?q=%E0"],
  ["http://localhost/v1/jobs?limit=1", "page /v1/jobs?limit=1"],
  ["HTTPS://LOCALHOST:8443", "page /"],
])("%s is passed to the app", async (target, body) => {
  expect((await exchange(`GET ${target} HTTP/1.1\r\n${host}`)).body).toContain(body);
});

test("the host of a URL counts, not that of the header", async () => {
  const { head, body } = await exchange(
    "GET http://localhost:1/v1/jobs HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n",
  );
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(body).toContain("page /v1/jobs");
});

test("a client that does not close its side is disconnected", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const socket = new PassThrough();
  rejectUnparsableRequest(new Error("not HTTP"), socket);
  vi.advanceTimersByTime(9000);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(socket.destroyed).toBe(true);
});
