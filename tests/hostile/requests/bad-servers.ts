import type { JobErrorCode } from "#lib/errors.ts";

/** Bad inputs: raw HTTP responses of servers, and the error code of a job that fetches them. */

export interface BadServer {
  /** The id, which is also the path on the test's server. */
  readonly id: string;
  /** `closed` is the origin of a server that must not be reached. */
  readonly response: (closed: string) => string;
  readonly code: JobErrorCode;
}

const head = (status: string, ...headers: string[]) =>
  `HTTP/1.1 ${[status, ...headers].join("\r\n")}\r\n\r\n`;
const redirect = (location: string, status = "302 Found") =>
  head(status, `Location: ${location}`, "Content-Length: 0");
const ok = "200 OK";

export const badServers: readonly BadServer[] = [
  { id: "closed-redirect", response: (closed) => redirect(`${closed}/a`), code: "address_refused" },
  ...["301 Moved", "303 See Other", "307 Temporary", "308 Permanent"].map((status) => ({
    id: `closed-redirect-${status.slice(0, 3)}`,
    response: (closed: string) => redirect(`${closed}/a`, status),
    code: "address_refused" as const,
  })),
  {
    id: "closed-redirect-without-scheme",
    response: (closed) => redirect(closed.replace("http:", "")),
    code: "address_refused",
  },
  ...[
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::ffff:7f00:1]/",
    "http://169.254.169.254/",
    "http://localhost/",
    "file:///etc/passwd",
    "ftp://127.0.0.1/",
    "data:text/plain,x",
    "http://user:pass@example.com/",
  ].map((location, index) => ({
    id: `redirect-${index}`,
    response: () => redirect(location),
    code: "address_refused" as const,
  })),
  { id: "loop", response: () => redirect("/loop"), code: "fetch_failed" },
  { id: "nowhere", response: () => head("302 Found", "Content-Length: 0"), code: "fetch_failed" },
  ...[
    "204 No Content",
    "206 Partial Content",
    "304 Not Modified",
    "401 Unauthorized",
    "403 Forbidden",
    "404 Not Found",
    "429 Too Many Requests",
    "500 Internal Server Error",
    "503 Service Unavailable",
    "999 Odd",
  ].map((status) => ({
    id: `status-${status.slice(0, 3)}`,
    response: () => head(status, "Retry-After: 86400", "Content-Length: 0"),
    code: "fetch_failed" as const,
  })),
  { id: "nothing", response: () => "", code: "fetch_failed" },
  { id: "no-http", response: () => "220 mail.example ESMTP\r\n", code: "fetch_failed" },
  {
    id: "gzip",
    response: () => `${head(ok, "Content-Encoding: gzip", "Content-Length: 2")}\x1f\x8b`,
    code: "fetch_failed",
  },
  {
    id: "longer-than-sent",
    response: () => `${head(ok, "Content-Length: 99")}x`,
    code: "fetch_failed",
  },
  {
    id: "length-negative",
    response: () => `${head(ok, "Content-Length: -1")}x`,
    code: "fetch_failed",
  },
  {
    id: "two-lengths",
    response: () => `${head(ok, "Content-Length: 1", "Content-Length: 2")}xy`,
    code: "fetch_failed",
  },
  {
    id: "chunks-without-end",
    response: () => `${head(ok, "Transfer-Encoding: chunked")}5\r\nhello\r\n`,
    code: "fetch_failed",
  },
  {
    id: "headers-of-1-MB",
    response: () => `${head(ok, `X: ${"x".repeat(1e6)}`, "Content-Length: 1")}x`,
    code: "fetch_failed",
  },
  {
    id: "10,000-headers",
    response: () => `${head(ok, ...Array(10_000).fill("X-A: 12345678"), "Content-Length: 1")}x`,
    code: "fetch_failed",
  },
  ...[
    "bytes 0-0/*",
    "bytes 0-0/9999999999999",
    "bytes 0-0/99999999999999999999",
    "bytes 5-5/9",
    "bytes 0-99/9",
    "bytes 9-0/10",
    "0-0/1",
  ].map((range) => ({
    id: `range-${range.replaceAll(/[ /]/g, "_")}`,
    response: () =>
      `${head("206 Partial Content", `Content-Range: ${range}`, "Content-Length: 1")}x`,
    code: "fetch_failed" as const,
  })),
  { id: "empty", response: () => head(ok, "Content-Length: 0"), code: "empty" },
  {
    id: "declares-2-to-the-60",
    response: () => `${head(ok, `Content-Length: ${2n ** 60n}`)}x`,
    code: "too_large",
  },
];

/** Sends more bytes than declared. The extra bytes must be ignored. */
export const oversendingServer = {
  id: "sends-more-than-declared",
  response: () => `${head(ok, "Content-Length: 5")}helloworld`,
};
