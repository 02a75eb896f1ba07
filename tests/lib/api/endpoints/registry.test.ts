import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "#lib/api/definition/endpoint.ts";
import { endpoints } from "#lib/api/endpoints/index.ts";

const root = join(import.meta.dirname, "../../../..");
const folder = join(root, "lib/api/endpoints");
const files = globSync("*/**/*.ts", { cwd: folder });

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "operationId" in value;
}

/** The endpoints that the modules export, by the names of their exports. */
const exported = new Map(
  (
    await Promise.all(
      ["index.ts", ...files].map(async (file) => {
        const module: Record<string, unknown> = await import(join(folder, file));
        return Object.entries(module);
      }),
    )
  )
    .flat()
    .filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
);

it("the registry has every endpoint of the folder, and each file has at most one", () => {
  expect(new Set(exported.values())).toEqual(new Set(endpoints));
  expect(exported.size).toBe(endpoints.length);
  expect(exported.size).toBeLessThanOrEqual(files.length);
});

/** The route files that serve endpoints: their path, and what they pass to `routes` or `routesUnder`. */
const routes = globSync("**/route.ts", { cwd: join(root, "app") })
  .map((file) => {
    const source = readFileSync(join(root, "app", file), "utf8");
    const path = `/${file.replace(/\/?route\.ts$/, "").replaceAll(/\[\.\.\.(\w+)\]/g, "{$1+}")}`;
    const names = /\broutes\(([\w\s,]*)\)/.exec(source)?.[1];
    const prefix = /\broutesUnder\("([^"]+)"\)/.exec(source)?.[1];
    return { path, source, names: names?.split(",").flatMap((name) => name.trim() || []), prefix };
  })
  .filter(({ path, names, prefix }) => !path.startsWith("/api/") && (names || prefix));

const prefixes = routes.flatMap(({ prefix }) => prefix ?? []);

describe("a route", () => {
  it("serves exactly the endpoints of its path", () => {
    for (const { path, names } of routes) {
      if (!names) continue;
      const served = names.map((name) => exported.get(name)?.operationId);
      const own = endpoints.filter((endpoint) => endpoint.path === path);
      expect(served.sort(), path).toEqual(own.map(({ operationId }) => operationId).sort());
    }
  });

  it("has the prefix of its folder if it serves all paths below", () => {
    for (const { path, prefix } of routes) {
      if (prefix) expect(path).toMatch(new RegExp(`^${prefix}/\\[?\\{path\\+\\}\\]?$`));
    }
  });

  it("exists exactly once for every endpoint", () => {
    for (const { path } of endpoints) {
      const found = routes.filter((one) =>
        one.prefix ? path.startsWith(`${one.prefix}/`) : one.path === path,
      );
      expect(found.length, path).toBe(1);
    }
  });

  it("has at most six lines, and no logic of its own", () => {
    for (const { path, source } of routes) {
      expect(source.trimEnd().split("\n").length, path).toBeLessThanOrEqual(6);
    }
  });
});

it("finds the files it is about", () => {
  expect(endpoints.length).toBeGreaterThan(25);
  expect(prefixes).toEqual(expect.arrayContaining(["/v1", "/files", "/dashboard/api"]));
});
