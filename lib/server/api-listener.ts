import type { RequestListener } from "node:http";
import type { Endpoint } from "#lib/api/definition/endpoint.ts";
import { endpoints } from "#lib/api/endpoints/index.ts";
import { authenticate } from "#lib/api/http/authenticate.ts";
import { createRoutes, type RouteHandlers } from "#lib/api/http/create-routes.ts";
import { RequestError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { redactPath } from "#lib/net/redact-url.ts";
import { openRequest, sendResponse } from "./web-messages.ts";

/**
 * Responds to the requests of the API without Next.js, which would cost more than most of them need.
 * The route files of `app/` call the same endpoints, for servers that run only Next.js.
 */

/** Endpoints with these paths. The session of the dashboard's endpoints belongs to Next.js. */
const directPath = /^\/(?:v1|files|uploads|hooks|healthz)(?:\/|$)/;

/** One path of the API and its handlers. */
interface Route {
  readonly pattern: RegExp;
  readonly handlers: RouteHandlers;
}

/** Passes requests whose path is none of an API endpoint to `next`. */
export function createApiListener(next: RequestListener): RequestListener {
  const routes = listRoutes();
  return (incoming, outgoing) => {
    const path = (incoming.url ?? "").split("?", 1)[0] ?? "";
    const found = directPath.test(path) ? findRoute(routes, path) : undefined;
    // The server has rejected all other methods.
    const handler = found?.route.handlers[incoming.method as keyof RouteHandlers];
    if (!found || !handler) return next(incoming, outgoing);
    const params = Promise.resolve(found.params);
    const respond = async () => {
      const response = await handler(openRequest(incoming, outgoing), { params });
      await sendResponse(response, incoming, outgoing);
    };
    respond().catch((err) => {
      log.error({ err, path: redactPath(path) }, "response failed");
      outgoing.destroy();
    });
  };
}

function listRoutes(): Route[] {
  const byPath = Map.groupBy(
    endpoints.filter(
      ({ path, access }) => directPath.test(path) && access !== "session" && access !== "visitor",
    ),
    ({ path }) => path,
  );
  const toRoutes = createRoutes({
    apiKey: authenticate,
    session: rejectSession,
    visitor: rejectSession,
  });
  return [...byPath]
    .toSorted(([one], [other]) => comparePaths(one, other))
    .map(([path, group]) => ({ pattern: patternOf(path), handlers: toRoutes(...group) }));
}

/** Paths without a placeholder first: `/v1/jobs/{id}` must not hide a fixed path. */
function comparePaths(one: string, other: string): number {
  return placeholderCount(one) - placeholderCount(other);
}

function placeholderCount(path: Endpoint["path"]): number {
  return path.split("{").length;
}

/** `/v1/jobs/{id}` and, over several segments, `/pdfjs/{path+}`, with a named group per placeholder. */
function patternOf(path: string): RegExp {
  const source = path
    .split(/(\{\w+\+?\})/)
    .map((piece) => {
      const [, name, several] = /^\{(\w+)(\+?)\}$/.exec(piece) ?? [];
      if (name) return `(?<${name}>${several ? ".+" : "[^/]+"})`;
      return piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  return new RegExp(`^${source}$`);
}

function findRoute(routes: readonly Route[], path: string) {
  for (const route of routes) {
    const match = route.pattern.exec(path);
    if (!match) continue;
    const entries = Object.entries(match.groups ?? {});
    // The server has rejected paths that cannot be decoded.
    const params = Object.fromEntries(
      entries.map(([name, value]) => [name, decodeURIComponent(value)]),
    );
    return { route, params };
  }
  return undefined;
}

/** No endpoint with a session is among the routes. */
async function rejectSession(): Promise<never> {
  throw new RequestError("unauthorized", "Sign in again to continue.");
}
