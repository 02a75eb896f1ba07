import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { endpoints } from "#lib/api/endpoints/index.ts";
import type { RouteHandler, RouteHandlers } from "#lib/api/http/create-routes.ts";
import { keyRoutes, unknownKeyRoutes } from "#lib/api/http/key-routes.ts";
import { handleMcp } from "#lib/api/mcp/handle-mcp.ts";
import {
  createRouteTable,
  type FoundRoute,
  findRoute,
  type Route,
} from "#lib/api/routing/route-table.ts";
import { suggestPaths } from "#lib/api/routing/suggest-path.ts";
import { handleGotenberg, isGotenbergPath } from "#lib/gotenberg/handle.ts";
import { log } from "#lib/log.ts";
import { redactPath } from "#lib/net/redact-url.ts";
import { isApiPath } from "#lib/request-path.ts";
import { openRequest, sendResponse } from "./web-messages.ts";

/**
 * Responds to the requests of the API without Next.js, which would cost more than most of them need.
 * The route files of `app/` call the same endpoints, for servers that run only Next.js.
 */

/** Endpoints with these paths. The session of the dashboard's endpoints belongs to Next.js. */
const directPath =
  /^\/(?:(?:v1|files|uploads|hooks|healthz|readyz|openapi\.json)(?:\/|$)|packages\/)/;

/** Passes requests whose path is none of an API endpoint to `next`. */
export function createApiListener(next: RequestListener): RequestListener {
  const routes = listRoutes();
  return (incoming, outgoing) => {
    const path = (incoming.url ?? "").split("?", 1)[0] ?? "";
    const handle =
      findSpecial(path) ??
      findUnknown(path, incoming.method) ??
      findHandler(routes, path, incoming.method);
    if (!handle || mayHaveSession(path, incoming)) return next(incoming, outgoing);
    respondWith(handle, incoming, outgoing);
  };
}

/** Responds to all requests of the port for clients of Gotenberg. */
export const gotenbergListener: RequestListener = (incoming, outgoing) => {
  respondWith((request) => handleGotenberg(request, "own"), incoming, outgoing);
};

/**
 * A signed-in operator sees more of the readiness, by a session that Next.js reads. Probes send no cookie, and do not need
 * it.
 */
function mayHaveSession(path: string, { headers }: IncomingMessage): boolean {
  return path === "/readyz" && headers.cookie !== undefined;
}

function findSpecial(path: string): Handle | undefined {
  if (path === "/mcp") return handleMcp;
  return isGotenbergPath(path) ? (request) => handleGotenberg(request, "main") : undefined;
}

const withoutRepeatedSlashes = (path: string) => path.replaceAll(/[/\\]+/g, "/");

const unknownPathHandlers = unknownKeyRoutes((path) => suggestPaths(withoutRepeatedSlashes(path)));

/**
 * A path of the API with repeated slashes or backslashes does not exist. Next.js would redirect to the one with single
 * slashes, with a text as the body.
 */
function findUnknown(path: string, method: string | undefined): Handle | undefined {
  const plain = withoutRepeatedSlashes(path);
  if (plain === path || !isApiPath(plain)) return undefined;
  return toHandle(unknownPathHandlers, method, {});
}

type Handle = (request: Request) => Promise<Response>;

function respondWith(handle: Handle, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const respond = async () => {
    const response = await handle(openRequest(incoming, outgoing));
    await sendResponse(response, incoming, outgoing);
  };
  respond().catch((err) => {
    log.error(
      { err, path: redactPath((incoming.url ?? "").split("?", 1).join()) },
      "response failed",
    );
    outgoing.destroy();
  });
}

function listRoutes(): readonly Route[] {
  const direct = endpoints.filter(
    ({ path, access }) => directPath.test(path) && access !== "session" && access !== "visitor",
  );
  return createRouteTable(direct, keyRoutes);
}

function findHandler(
  routes: readonly Route[],
  path: string,
  method: string | undefined,
): Handle | undefined {
  const found = directPath.test(path) ? findRoute(routes, path) : undefined;
  return found && toHandle(found.handlers, method, found.params);
}

function toHandle(
  handlers: RouteHandlers,
  method: string | undefined,
  params: FoundRoute["params"],
): Handle | undefined {
  // The server has rejected most other methods.
  const handler = handlers[method as keyof RouteHandlers] as RouteHandler | undefined;
  return handler && ((request) => handler(request, { params: Promise.resolve(params) }));
}
