import type { IncomingMessage, ServerResponse } from "node:http";
import { methodOverrideHeader } from "#lib/api/definition/request-headers.ts";
import { bodyTimeoutEvent, bodyTimeoutMessage } from "#lib/api/http/incoming-message.ts";
import { sendEarlyResponse } from "./early-responses.ts";
import { hasBody } from "./expect-continue.ts";

/** How slowly bodies may arrive, in milliseconds. Short in tests. */
export interface BodyTimes {
  /** How long a body without files may take in total. */
  readonly totalMs: number;
  /** How long no byte of an upload may arrive. */
  readonly idleMs: number;
  /** What an upload must have on average, measured over the time that the service waits for its client. */
  readonly minBytesPerSecond: number;
}

export const defaultBodyTimes: BodyTimes = {
  totalMs: 30_000,
  idleMs: 60_000,
  minBytesPerSecond: 1000,
};

/** A request whose body has not arrived completely. Times in milliseconds since 1970. */
interface Receiving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly isUpload: boolean;
  readonly limitMs: number;
  readonly minBytesPerSecond: number;
  /** What the connection had received when the request came. */
  readonly bytesBefore: number;
  /** How long the service has waited for more of an upload, in total. */
  waitedMs: number;
  /** When the last bytes of an upload arrived; for any other body, when the request did. */
  since: number;
  /** What the connection had received then. */
  bytes: number;
}

const receiving = new Set<Receiving>();
let timer: NodeJS.Timeout | undefined;

/** How often the requests are checked, in milliseconds. */
const checkMs = 1000;

/** Paths whose forms may have files. Those of Gotenberg's API may have a root path. */
const formPath = /^\/(?:v1|try\/run|dashboard\/api)\/|^[^?]*\/forms\//;

/**
 * Ends a request whose body arrives too slowly: an upload without a byte for `idleMs` or with fewer than
 * `minBytesPerSecond` on average, and any other body after `totalMs`. The response is a 408 in the format of all API
 * errors, and closes the connection. An upload may take any time in total.
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  { totalMs, idleMs, minBytesPerSecond }: BodyTimes,
): void {
  if (!hasBody(request)) return;
  const isUpload = isUploadRequest(request);
  const limitMs = isUpload ? idleMs : totalMs;
  const entry = {
    request,
    response,
    isUpload,
    limitMs,
    minBytesPerSecond,
    bytesBefore: request.socket.bytesRead,
    waitedMs: 0,
    since: Date.now(),
    bytes: 0,
  };
  receiving.add(entry);
  response.once("close", () => receiving.delete(entry));
  timer ??= setInterval(checkAll, checkMs).unref();
}

function isUploadRequest({ method, url = "", headers }: IncomingMessage): boolean {
  const named = String(headers[methodOverrideHeader.toLowerCase()]).trim().toUpperCase();
  const sends = method === "POST" ? named : method;
  if ((sends === "PUT" || sends === "PATCH") && url.startsWith("/uploads/")) return true;
  return formPath.test(url) && /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");
}

function checkAll(): void {
  for (const entry of receiving) {
    if (isTooSlow(entry)) end(entry);
  }
  if (receiving.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function isTooSlow(entry: Receiving): boolean {
  const { request, isUpload } = entry;
  if (request.complete || request.destroyed) {
    receiving.delete(entry);
    return false;
  }
  // Bytes that have arrived and are not read yet: this service is slow, not the client.
  const isWaiting = request.readableLength === 0;
  const { bytesRead } = request.socket;
  if (isUpload && (!isWaiting || bytesRead !== entry.bytes)) {
    entry.since = Date.now();
    entry.bytes = bytesRead;
  }
  if (!isWaiting) return false;
  entry.waitedMs += checkMs;
  return Date.now() - entry.since >= entry.limitMs || (isUpload && isTrickling(entry));
}

/** Whether an upload is slower on average than it may be, after the time that it may pause. */
function isTrickling({ waitedMs, limitMs, bytes, ...entry }: Receiving): boolean {
  const received = bytes - entry.bytesBefore;
  return waitedMs >= limitMs && received < (entry.minBytesPerSecond * waitedMs) / 1000;
}

function end(entry: Receiving): void {
  const { request, response } = entry;
  receiving.delete(entry);
  // The endpoint that reads the body responds.
  if (request.emit(bodyTimeoutEvent)) return;
  const error = { code: "request_timeout", message: bodyTimeoutMessage } as const;
  if (response.headersSent) request.destroy();
  else sendEarlyResponse(response, error);
}
