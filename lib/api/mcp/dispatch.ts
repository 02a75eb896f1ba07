import { env } from "#lib/env.ts";
import type { Method } from "../definition/endpoint.ts";
import { endpoints } from "../endpoints/index.ts";
import { keyRoutes } from "../http/key-routes.ts";
import { createRouteTable, findRoute, type Route } from "../routing/route-table.ts";

let routes: readonly Route[] | undefined;

/**
 * A `fetch` for the service's own API, without a connection. The request runs through the same
 * route, so access, limits and errors are the same. Paths outside of the API are not found.
 */
export async function dispatch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const url = new URL(request.url);
  const isOwn = url.origin === new URL(env.APP_URL).origin;
  routes ??= createRouteTable(endpoints, keyRoutes);
  const found = isOwn ? findRoute(routes, url.pathname) : undefined;
  if (!found) return new Response(null, { status: 404 });
  // The SDK sends no other methods.
  const handle = found.handlers[request.method as Method];
  return handle(request, { params: Promise.resolve(found.params) });
}
