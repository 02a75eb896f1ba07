import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { insertPurge, listPurges } from "#lib/db/queries/images/image-cache.ts";
import { purgePrefix, purgeSource } from "#lib/images/cache/purges.ts";
import { makeAccount } from "#tests/service/jobs.ts";

it.each([
  ["long", `https://example.com/${"\u{4e00}".repeat(1000)}`],
  ["with NUL", "a\0b"],
])("a source or prefix that is %s is rejected", async (_, value) => {
  const { id } = await makeAccount();
  const rejection = { code: "invalid_parameter" };
  await expect(purgePrefix(id, value)).rejects.toMatchObject(rejection);
  await expect(purgeSource(id, value)).rejects.toMatchObject(rejection);
});

it("an account has a limited number of purges, and a prefix replaces those that it covers", async () => {
  const { id } = await makeAccount();
  const insert = (kind: "source" | "prefix", value: string) =>
    insertPurge(db(), id, { kind, value, purgedAt: new Date() }, 3);
  for (const value of ["a/1", "a/2", "b/1"]) expect(await insert("source", value)).toBe(true);
  expect(await insert("source", "a/1")).toBe(true);
  expect(await insert("source", "a/3")).toBe(false);
  expect(await insert("prefix", "a/")).toBe(true);
  const values = (await listPurges(db(), id)).map(({ value }) => value);
  expect(values.sort()).toEqual(["a/", "b/1"]);
});
