import { readFile } from "node:fs/promises";
import postgres from "postgres";
import { expect, it } from "vitest";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";

/** The error of a statement on a connection with these options. */
async function failureOf(options: postgres.Options<Record<string, never>>): Promise<unknown> {
  const sql = postgres({ ...options, max: 1, connect_timeout: 5 });
  const failure = await sql`select 1`.catch((error: unknown) => error);
  await sql.end({ timeout: 1 });
  return failure;
}

it.each([
  ["whose UNIX socket is gone", { path: "/tmp/mediamill-none/.s.PGSQL.5432" }],
  ["whose name cannot be resolved", { host: "database.invalid" }],
  ["that does not listen", { host: "127.0.0.1", port: 1 }],
])("a database %s is unavailable", async (_, options) => {
  const failure = await failureOf(options);
  expect(failure).toBeInstanceOf(Error);
  expect(isDatabaseUnavailable(failure)).toBe(true);
  expect(isDatabaseUnavailable(new Error("Failed query", { cause: failure }))).toBe(true);
});

it("a file that does not exist says nothing about the database", async () => {
  const failure = await readFile("/tmp/mediamill-none/file").catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "ENOENT" });
  expect(isDatabaseUnavailable(failure)).toBe(false);
});
