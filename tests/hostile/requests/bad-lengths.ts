import type { RawRequest } from "#tests/service/http/raw-http.ts";
import { input } from "./bad-requests.ts";

const body = `{${input}}`;
const json = { "Content-Type": "application/json" };
const chunked = { ...json, "Transfer-Encoding": "chunked" };

/**
 * Bad inputs: bodies whose length differs from the declared one, and the response's status, which
 * is 0 without a response, because the client has disconnected.
 */
export const badLengths: readonly (Omit<RawRequest, "path"> & { id: string; status: number })[] = [
  {
    id: "longer than the body, then the client ends its side",
    headers: { ...json, "Content-Length": String(body.length + 10) },
    body: [body],
    after: "end",
    status: 400,
  },
  {
    id: "longer than the body, then the client disconnects",
    headers: { ...json, "Content-Length": String(body.length + 10) },
    body: [body],
    after: "disconnect",
    status: 0,
  },
  {
    id: "shorter than the body",
    headers: { ...json, "Content-Length": "10" },
    body: [body],
    status: 400,
  },
  { id: "negative", headers: { ...json, "Content-Length": "-5" }, body: [body], status: 400 },
  { id: "not a number", headers: { ...json, "Content-Length": "ten" }, body: [body], status: 400 },
  {
    id: "beyond 2^64",
    headers: { ...json, "Content-Length": "9".repeat(20) },
    body: [body],
    status: 400,
  },
  {
    id: "of 2^53 bytes",
    headers: { ...json, "Content-Length": String(2 ** 53) },
    body: [body],
    status: 413,
  },
  {
    id: "in addition to chunks",
    headers: { ...chunked, "Content-Length": String(body.length) },
    body: [`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    status: 400,
  },
  {
    id: "of a chunk that is not a number",
    headers: chunked,
    body: [`zz\r\n${body}\r\n0\r\n\r\n`],
    status: 400,
  },
  {
    id: "of a chunk longer than its data, then the client ends its side",
    headers: chunked,
    body: [`${(body.length + 5).toString(16)}\r\n${body}`],
    after: "end",
    status: 400,
  },
  {
    id: "of a chunk longer than its data, then the client disconnects",
    headers: chunked,
    body: [`${(body.length + 5).toString(16)}\r\n${body}`],
    after: "disconnect",
    status: 0,
  },
];
