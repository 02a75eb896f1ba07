import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "#lib/api/definition/endpoint.ts";
import { endpoints } from "#lib/api/endpoints/index.ts";

const root = join(import.meta.dirname, "../../../..");
const folder = join(root, "lib/api/endpoints");
const files = globSync("*/*.ts", { cwd: folder });

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

/** The routes that are made of endpoints: the path of each, and the names it passes to `routes`. */
const routes = globSync("**/route.ts", { cwd: join(root, "app") })
  .map((file) => {
    const source = readFileSync(join(root, "app", file), "utf8");
    const names = /\broutes\(([\w\s,]*)\)/.exec(source)?.[1];
    const path = `/${file.replace(/\/?route\.ts$/, "")}`
      .replaceAll(/\[\.\.\.(\w+)\]/g, "{$1+}")
      .replaceAll(/\[(\w+)\]/g, "{$1}");
    return { path, source, names: names?.split(",").flatMap((name) => name.trim() || []) };
  })
  .filter(({ path }) => !path.startsWith("/api/"));

describe("a route", () => {
  it("serves exactly the endpoints of its path", () => {
    for (const { path, names } of routes) {
      if (!names) continue;
      const served = names.map((name) => exported.get(name)?.operationId);
      const own = endpoints.filter((endpoint) => endpoint.path === path);
      expect(served.sort(), path).toEqual(own.map(({ operationId }) => operationId).sort());
    }
  });

  it("exists for every endpoint", () => {
    const paths = routes.filter(({ names }) => names).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(endpoints.map(({ path }) => path)));
  });

  it("has at most six lines, and no logic of its own", () => {
    for (const { path, source, names } of routes) {
      if (names) expect(source.trimEnd().split("\n").length, path).toBeLessThanOrEqual(6);
    }
  });
});

it("finds the files it is about", () => {
  expect(endpoints.length).toBeGreaterThan(25);
  expect(routes.filter(({ names }) => names).length).toBeGreaterThan(25);
});
