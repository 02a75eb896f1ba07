import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { sendEarlyResponse, sendRawResponse } from "./early-responses.ts";

/** Paths whose errors are JSON. All other paths are pages. */
const apiPath = /^\/(v1|files|uploads|hooks|openapi\.json|healthz|readyz|metrics)(\/|$)/;

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Rejects requests whose error Next.js would send in a different format. Returns true if it has sent a
 * response.
 */
export function rejectMalformedRequest(
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (!hasUsableHost(request)) {
    const message = "The request must have one valid Host header.";
    sendEarlyResponse(response, { code: "invalid_request", message });
    return true;
  }
  request.url = toOriginForm(request.url ?? "/");
  const path = request.url.split(/[?#]/, 1)[0] ?? "/";
  if (!apiPath.test(path)) return false;
  if (!methods.includes(request.method ?? "")) {
    const message = `The method must be one of ${methods.join(", ")}.`;
    const headers = { Allow: methods.join(", ") };
    sendEarlyResponse(response, { code: "method_not_allowed", message, headers });
    return true;
  }
  if (isDecodable(path)) return false;
  const message = "The path is not valid: every % must start an escaped UTF-8 character.";
  sendEarlyResponse(response, { code: "invalid_request", message });
  return true;
}

/** HTTP/1.0 has no Host header. In later versions the service's URLs are built from it. */
function hasUsableHost({ headers: { host }, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion === "1.0";
  return /^[^/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`);
}

/** A client may send an absolute URL, as it does to a forward proxy (RFC 9112, 3.2.2). */
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

/** Responds to bytes that are not an HTTP request, and to headers that arrive too slowly. */
export function rejectUnparsableRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  sendRawResponse(socket, parserErrors[error.code ?? ""] ?? invalidHttp);
}

const invalidHttp = {
  code: "invalid_request",
  message: "The request is not valid HTTP.",
} as const;

const parserErrors: Record<string, Parameters<typeof sendRawResponse>[1]> = {
  HPE_HEADER_OVERFLOW: {
    code: "invalid_request",
    message: "The request's headers are too large: at most 16 KiB in total.",
    status: 431,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: "invalid_request",
    message: "The request's headers took too long to arrive.",
    status: 408,
  },
};
