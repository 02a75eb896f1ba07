import type { Endpoint } from "../definition/endpoint.ts";
import type { RouteHandlers } from "../http/create-routes.ts";

/** One path of the API and its handlers. */
export interface Route {
  readonly pattern: RegExp;
  readonly handlers: RouteHandlers;
}

/** A route, and the decoded values of the path's placeholders. */
export interface FoundRoute {
  readonly handlers: RouteHandlers;
  readonly params: Readonly<Record<string, string>>;
}

/** The routes of `endpoints`, one for each path. `toHandlers` makes the handlers of one path. */
export function createRouteTable(
  endpoints: readonly Endpoint[],
  toHandlers: (...endpoints: readonly Endpoint[]) => RouteHandlers,
): readonly Route[] {
  return [...Map.groupBy(endpoints, ({ path }) => path)]
    .toSorted(([one], [other]) => comparePaths(one, other))
    .map(([path, group]) => ({ pattern: patternOf(path), handlers: toHandlers(...group) }));
}

/**
 * The route of `path`, which is a URL's path as it was sent. Undefined if there is none, and if the
 * value of a placeholder is not valid percent-encoded UTF-8.
 */
export function findRoute(routes: readonly Route[], path: string): FoundRoute | undefined {
  for (const { pattern, handlers } of routes) {
    const match = pattern.exec(path);
    if (!match) continue;
    const params = decodeAll(match.groups ?? {});
    return params && { handlers, params };
  }
  return undefined;
}

/** Paths without a placeholder first: `/v1/jobs/{id}` must not hide a fixed path. */
function comparePaths(one: string, other: string): number {
  return placeholderCount(one) - placeholderCount(other);
}

function placeholderCount(path: Endpoint["path"]): number {
  return path.split("{").length;
}

/**
 * The pattern of a path such as `/v1/jobs/{id}` or, over several segments, `/pdfjs/{path+}`, with a
 * named group per placeholder.
 */
function patternOf(path: string): RegExp {
  const source = path
    .split(/(\{\w+\+?\})/)
    .map((piece) => {
      const [, name, several] = /^\{(\w+)(\+?)\}$/.exec(piece) ?? [];
      if (name) return `(?<${name}>${several ? ".+" : "[^/]+"})`;
      return RegExp.escape(piece);
    })
    .join("");
  return new RegExp(`^${source}$`);
}

function decodeAll(values: Readonly<Record<string, string>>): Record<string, string> | undefined {
  const entries = Object.entries(values);
  try {
    return Object.fromEntries(entries.map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
