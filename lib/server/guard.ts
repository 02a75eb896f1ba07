import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { answerEarly, answerRaw } from "./responses.ts";

/** Paths whose errors are JSON; everything else is a page. */
const apiPath = /^\/(v1|files|uploads|openapi\.json|healthz|readyz|metrics)(\/|$)/;

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Answers what Next.js would answer in another form than ours; true where it did. */
export function refuseMalformed(request: IncomingMessage, response: ServerResponse): boolean {
  if (!hasUsableHost(request)) {
    const sentence = "The request needs one valid Host header.";
    answerEarly(response, { code: "invalid_request", sentence });
    return true;
  }
  request.url = toOriginForm(request.url ?? "/");
  const path = request.url.split(/[?#]/, 1)[0] ?? "/";
  if (!apiPath.test(path)) return false;
  if (!methods.includes(request.method ?? "")) {
    const sentence = `The method must be one of ${methods.join(", ")}.`;
    const headers = { Allow: methods.join(", ") };
    answerEarly(response, { code: "method_not_allowed", sentence, headers });
    return true;
  }
  if (isDecodable(path)) return false;
  const sentence = "The path is not valid: every % must begin an escaped UTF-8 character.";
  answerEarly(response, { code: "invalid_request", sentence });
  return true;
}

/** HTTP/1.0 has none; without one that is a host, no address of this service can be made. */
function hasUsableHost({ headers: { host }, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === "1.0";
  return /^[^/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`);
}

/** A client may send the whole address as if to a proxy (RFC 9112, 3.2.2). */
function toOriginForm(target: string): string {
  if (target.startsWith("/") || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return `${pathname}${search}`;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Answers bytes that are no HTTP request, or one that came too slowly. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  answerRaw(socket, reasons[error.code ?? ""] ?? notHttp);
}

const notHttp = {
  code: "invalid_request",
  sentence: "The request is not valid HTTP.",
} as const;

const reasons: Record<string, Parameters<typeof answerRaw>[1]> = {
  HPE_HEADER_OVERFLOW: {
    code: "invalid_request",
    sentence: "The request's headers are too large: at most 16 KiB in all.",
    status: 431,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: "invalid_request",
    sentence: "The request's headers took too long to arrive.",
    status: 408,
  },
};
