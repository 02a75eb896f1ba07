import { createId } from "#lib/ids.ts";

/** The web server passes the id of a request to the routes in this header. */
export const requestIdHeader = "x-request-id";

/** The id that the web server gave the request; a new one if another server runs the routes. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get(requestIdHeader);
  return given && /^req_[0-9A-Za-z]{24}$/.test(given) ? given : createId("req");
}
