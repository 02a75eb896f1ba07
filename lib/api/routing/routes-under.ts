import { type Method, methods } from "../definition/endpoint.ts";
import { endpoints } from "../endpoints/index.ts";
import type { RouteHandler, RouteHandlers } from "../http/create-routes.ts";
import { routes, unknownPathRoutes } from "../http/routes.ts";
import { createRouteTable, findRoute } from "./route-table.ts";
import { suggestPaths } from "./suggest-path.ts";

const unknownPathHandlers = unknownPathRoutes(suggestPaths);

/**
 * The route handlers of a catch-all route: they find the endpoint by its own path. Paths without an
 * endpoint are a 404.
 *
 * @param prefix the start of the paths, such as `/v1`
 */
export function routesUnder(prefix: string): RouteHandlers {
  const own = endpoints.filter(({ path }) => path.startsWith(`${prefix}/`));
  const table = createRouteTable(own, routes);
  const respond =
    (method: Method): RouteHandler =>
    (request) => {
      const found = findRoute(table, new URL(request.url).pathname);
      const handlers = found?.handlers ?? unknownPathHandlers;
      return handlers[method](request, { params: Promise.resolve({ ...found?.params }) });
    };
  // Every method gets a handler here.
  return Object.fromEntries(methods.map((one) => [one, respond(one)])) as RouteHandlers;
}
