import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";

/** An error response sent before Next.js sees the request, in the format of all API errors. */
interface EarlyResponse {
  readonly code: RequestErrorCode;
  readonly message: string;
  /** The status of the response; by default that of `code`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function sendEarlyResponse(response: ServerResponse, error: EarlyResponse): void {
  const { status, headers, body } = render(error);
  response.writeHead(status, headers);
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** The same for a path whose errors are pages. */
export function sendEarlyPage(
  response: ServerResponse,
  status: number,
  html: string,
  headers: Readonly<Record<string, string>>,
): void {
  const length = String(Buffer.byteLength(html));
  response.writeHead(status, { ...headers, "Content-Length": length, Connection: "close" });
  response.end(response.req.method === "HEAD" ? undefined : html);
}

/** Answers input that is not a request: writes to the connection itself and ends it. */
export function sendRawResponse(socket: Duplex, error: EarlyResponse): void {
  const { status, headers, body } = render(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

function render({ code, message, status = requestErrorStatus[code], headers }: EarlyResponse) {
  const body = JSON.stringify({ error: message });
  return {
    status,
    body,
    headers: {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(body)),
      "X-Error-Code": code,
      "X-Request-Id": createId("req"),
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      Connection: "close",
      ...headers,
    },
  };
}
