import { expect, it } from "vitest";
import { newConnection } from "#lib/api/endpoints/connections/connection-body.ts";

const withPrefix = (prefix: string) =>
  newConnection.safeParse({ type: "webdav", name: "A store", prefix });

it.each([
  ["", ""],
  ["/", ""],
  ["//a/b//", "a/b"],
])("the prefix %j is %j", (given, prefix) => {
  expect(withPrefix(given).data).toMatchObject({ prefix });
});

it("a prefix with many slashes takes linear time", () => {
  const startedAt = performance.now();
  expect(withPrefix(`a${"/".repeat(50_000)}b`).success).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
