import type { ServerResponse } from "node:http";
import { bodyLengthHeader } from "#lib/api/http/send-file.ts";

/**
 * Lets a route handler say how long its body is: Next.js drops `Content-Length` from what handlers
 * answer, and a download without it shows no progress and cannot be known to be whole.
 */
export function restoreBodyLength(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => {
    const isLength = name.toLowerCase() === bodyLengthHeader;
    return setHeader(isLength ? "Content-Length" : name, isLength ? String(value) : value);
  };
}
