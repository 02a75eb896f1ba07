import { checkEntityTag } from "#lib/net/entity-tags.ts";
import type { CachedPicture } from "../cache/cached-picture.ts";
import type { PictureRequest } from "../plan/plan.ts";
import { type RequestHeaders, varyOf } from "./negotiate.ts";

export interface PictureResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** A year, as imgproxy's pictures: a changed picture has another URL. */
const maxAgeSeconds = 31_536_000;

/** The response with a picture, or without one if the client has it. */
export function respondWithPicture(
  { head, body }: CachedPicture,
  { delivery }: PictureRequest,
  requestHeaders: RequestHeaders,
): PictureResponse {
  const now = Math.floor(Date.now() / 1000);
  const left = delivery.expires > 0 ? Math.max(0, delivery.expires - now) : maxAgeSeconds;
  const age = Math.min(left, delivery.maxAgeSeconds ?? maxAgeSeconds, maxAgeSeconds);
  const etag = `"${head.etag}"`;
  const lastModified = new Date(Date.parse(head.lastModified ?? "") || head.createdAt);
  const headers = {
    "Cache-Control": `public, max-age=${age}`,
    ETag: etag,
    "Last-Modified": lastModified.toUTCString(),
    Vary: varyOf(requestHeaders),
  };
  const checked = checkEntityTag((name) => requestHeaders[name], etag);
  if (checked === "failed") {
    return respondWithError(412, "The picture has none of the ETags in If-Match");
  }
  if (checked === "unchanged" || isUnmodified(requestHeaders, lastModified)) {
    return { status: 304, headers, body: undefined };
  }
  const described = {
    ...headers,
    "Content-Type": head.contentType,
    "Content-Length": String(body.length),
    "Content-Disposition": disposition(head.filename, delivery),
    // A drawing that is sent as it is could have scripts.
    "Content-Security-Policy":
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    // Pictures are for the pages of other sites.
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
  };
  return { status: 200, headers: described, body };
}

/** With `If-None-Match`, the time does not count. */
function isUnmodified(headers: RequestHeaders, lastModified: Date): boolean {
  if (headers["if-none-match"] !== undefined) return false;
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return Math.floor(lastModified.getTime() / 1000) * 1000 <= since;
}

function disposition(
  sourceName: string,
  { filename, isAttachment }: PictureRequest["delivery"],
): string {
  const extension = sourceName.slice(sourceName.lastIndexOf("."));
  const name = filename === undefined ? sourceName : `${filename}${extension}`;
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const extended = ascii === name ? "" : `; filename*=UTF-8''${encoded}`;
  return `${isAttachment ? "attachment" : "inline"}; filename="${ascii}"${extended}`;
}

/** An error as a small text. */
export function respondWithError(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): PictureResponse {
  const body = Buffer.from(`${message}\n`);
  return {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": String(body.length),
      "Cache-Control": "no-store",
      ...headers,
    },
    body,
  };
}
