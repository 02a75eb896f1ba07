import type { ServerResponse } from "node:http";
import { bodyLengthHeader } from "#lib/api/http/send-file.ts";

/**
 * Lets a route handler set the length of its response body. Next.js drops `Content-Length` from
 * handlers' responses; without it a download shows no progress and a truncated one is not detected.
 */
export function restoreBodyLength(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    const isLength = name.toLowerCase() === bodyLengthHeader;
    return setHeader(isLength ? "Content-Length" : name, isLength ? String(value) : value);
  };
}
