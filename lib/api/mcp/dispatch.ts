import { env } from "#lib/env.ts";
import type { Method } from "../definition/endpoint.ts";
import { endpoints } from "../endpoints/index.ts";
import type { RouteHandlers } from "../http/create-routes.ts";
import { routes } from "../http/routes.ts";

interface Route {
  readonly pattern: RegExp;
  readonly placeholders: number;
  readonly handlers: RouteHandlers;
}

let table: readonly Route[] | undefined;

/** The paths of the API, those without placeholders first. */
function routeTable(): readonly Route[] {
  table ??= [...Map.groupBy(endpoints, ({ path }) => path)]
    .map(([path, own]) => {
      const source = path.replaceAll(/\{(\w+)(\+?)\}/g, (_all, name, rest) =>
        rest ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
      );
      const placeholders = path.split("{").length - 1;
      return { pattern: new RegExp(`^${source}$`), placeholders, handlers: routes(...own) };
    })
    .sort((one, other) => one.placeholders - other.placeholders);
  return table;
}

/**
 * `fetch` for the service's own API, without a connection: the request runs through the same route, so
 * access, limits and errors are the same. Paths outside of the API are not found.
 */
export async function dispatch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const url = new URL(request.url);
  const isOwn = url.origin === new URL(env.APP_URL).origin;
  for (const { pattern, handlers } of isOwn ? routeTable() : []) {
    const match = pattern.exec(url.pathname);
    if (!match) continue;
    const params = Object.entries(match.groups ?? {}).map(
      ([name, value]) => [name, decodeURIComponent(value)] as const,
    );
    const handle = handlers[request.method as Method];
    return handle(request, { params: Promise.resolve(Object.fromEntries(params)) });
  }
  return new Response(null, { status: 404 });
}
