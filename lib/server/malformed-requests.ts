import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  isMisdirected,
  misdirectedMessage,
  misdirectedPage,
  misdirectedPageHeaders,
  misdirectedStatus,
} from "#lib/hosts/misdirected.ts";
import { isApiPath, isDecodable, undecodableMessage } from "#lib/request-path.ts";
import { sendEarlyPage, sendEarlyResponse, sendRawResponse } from "./early-responses.ts";

/** How long a client may take to read the response to bytes that are not a request. */
const maxReadMs = 10_000;

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
  if (!readTarget(request)) {
    const message = "The target of the request must be a path, or a URL of this service.";
    sendEarlyResponse(response, { code: "invalid_request", message });
    return true;
  }
  const path = (request.url ?? "/").split(/[?#]/, 1)[0] ?? "/";
  if (isMisdirected(hostHeaders(request))) {
    if (isApiPath(path)) sendEarlyResponse(response, misdirected);
    else sendEarlyPage(response, misdirectedStatus, misdirectedPage, misdirectedPageHeaders);
    return true;
  }
  if (!isApiPath(path)) return false;
  if (!methods.includes(request.method ?? "")) {
    const message = `The method must be one of ${methods.join(", ")}.`;
    const headers = { Allow: methods.join(", ") };
    sendEarlyResponse(response, { code: "method_not_allowed", message, headers });
    return true;
  }
  if (isDecodable(path)) return false;
  sendEarlyResponse(response, { code: "invalid_request", message: undecodableMessage });
  return true;
}

/**
 * Whether there is exactly one valid header (RFC 9112, 3.2); `request.headers` has only the first
 * one. HTTP/1.0 needs none. In later versions the service's URLs are built from it.
 */
function hasUsableHost({ headersDistinct, httpVersion }: IncomingMessage): boolean {
  const hosts = headersDistinct.host ?? [];
  const [host] = hosts;
  if (host === undefined) return httpVersion === "1.0";
  return hosts.length === 1 && /^[^/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`);
}

/** The headers that say which host the client requested. */
function hostHeaders({ headers }: IncomingMessage): Headers {
  const selected = new Headers();
  for (const name of ["host", "x-forwarded-host"]) {
    for (const value of [headers[name] ?? []].flat()) selected.append(name, value);
  }
  return selected;
}

const misdirected = {
  code: "invalid_request",
  message: misdirectedMessage,
  status: misdirectedStatus,
} as const;

/**
 * A client may send an absolute URL, as it does to a forward proxy. Its host counts, not that of the Host header
 * (RFC 9112, 3.2.2). Returns false for a target that is neither a path nor such a URL.
 */
function readTarget(request: IncomingMessage): boolean {
  const { url = "/", headers } = request;
  if (url.startsWith("/")) return true;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { host, pathname, search, username, password } = new URL(url);
  if (username || password) return false;
  headers.host = host;
  request.url = `${pathname}${search}`;
  return true;
}

/** Responds to bytes that are not an HTTP request, and to headers that arrive too slowly. */
export function rejectUnparsableRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  sendRawResponse(socket, parserErrors[error.code ?? ""] ?? invalidHttp);
  // A client that does not close its side would keep the connection open for ever.
  const timer = setTimeout(() => socket.destroy(), maxReadMs).unref();
  socket.once("close", () => clearTimeout(timer));
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
    code: "request_timeout",
    message: "The request's headers took too long to arrive.",
  },
};
