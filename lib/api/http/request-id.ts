import { createId } from "#lib/ids.ts";

/** Under this name the web server tells the routes the id that it gave a request. */
export const requestIdHeader = "x-request-id";

/** The id that our server gave the request; a fresh one on hosts where another server is in front. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get(requestIdHeader);
  return given && /^req_[0-9A-Za-z]{24}$/.test(given) ? given : createId("req");
}
