import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";

/** An answer given before Next.js sees the request: the same form as every other error. */
interface EarlyAnswer {
  readonly code: RequestErrorCode;
  readonly sentence: string;
  /** Where it is not the code's own. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answerEarly(response: ServerResponse, answer: EarlyAnswer): void {
  const { status, headers, body } = render(answer);
  response.writeHead(status, headers);
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** For what is not even a request: writes to the bare connection and ends it. */
export function answerRaw(socket: Duplex, answer: EarlyAnswer): void {
  const { status, headers, body } = render(answer);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}

function render({ code, sentence, status = requestErrorStatus[code], headers }: EarlyAnswer) {
  const body = JSON.stringify({ error: sentence });
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
