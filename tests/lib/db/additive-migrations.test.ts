import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { type Catalog, readCatalog } from "#tests/release/catalog.ts";
import { findSchemaProblems, findStatementProblems } from "#tests/release/check-schema.ts";
import {
  lastReleased,
  listNewFunctions,
  migrations,
  newMigrations,
  readMigration,
  readReleasedColumns,
} from "#tests/release/last-release.ts";
import { createEmptyDatabase } from "#tests/service/database/fresh-database.ts";

/** Services of the last release work while this version migrates their database, and afterwards. */

const used = readReleasedColumns();
let url: string;
let sql: postgres.Sql;
let released: Catalog;

beforeAll(async () => {
  url = await createEmptyDatabase();
  await migrateDatabase(url, { through: lastReleased.when });
  sql = postgres(url, { max: 1, onnotice: () => {} });
  released = await readCatalog(sql);
});

afterAll(() => sql.end());

/** What both checks say about a migration; its statements have no effect. */
async function check(statements: string): Promise<string[]> {
  const problems = findStatementProblems(statements, used);
  const undone = sql.begin(async (tx) => {
    await tx.unsafe(statements);
    problems.push(...findSchemaProblems(released, await readCatalog(tx), used));
    throw new Error("undo");
  });
  await expect(undone).rejects.toThrow("undo");
  return problems;
}

it.each([
  ["ALTER TABLE jobs RENAME COLUMN plan TO tier", ["RENAME", "column jobs.plan is gone"]],
  ["ALTER TABLE jobs RENAME TO work", ["RENAME", "table jobs is gone"]],
  ["ALTER TABLE jobs DROP COLUMN plan", ["DROP COLUMN jobs.plan", "column jobs.plan is gone"]],
  ["DROP TABLE saved_views", ["DROP TABLE saved_views", "table saved_views is gone"]],
  ['CREATE SCHEMA other; DROP SCHEMA "other"', ["DROP of a schema, type, function or view"]],
  ["ALTER TABLE jobs ADD COLUMN owner text NOT NULL", ["jobs.owner is NOT NULL without"]],
  ["ALTER TABLE jobs ALTER COLUMN error SET NOT NULL", ["jobs.error must not be null"]],
  ["ALTER TABLE jobs ALTER COLUMN plan DROP NOT NULL", ["jobs.plan may be null"]],
  ["ALTER TABLE jobs ALTER COLUMN progress DROP DEFAULT", ["jobs.progress has no default"]],
  ["ALTER TABLE jobs ALTER COLUMN progress TYPE float8", ["ALTER COLUMN … TYPE", "another type"]],
  ["ALTER TABLE jobs ADD CONSTRAINT few CHECK (attempts < 9)", ["constraint few of jobs is new"]],
  ["ALTER TABLE api_keys DROP CONSTRAINT api_keys_hash_unique", ["is gone", "is gone"]],
  ["CREATE UNIQUE INDEX once ON jobs (period, id)", ["not built CONCURRENTLY", "once of jobs is"]],
  ["CREATE INDEX slow ON jobs (period)", ["index slow of jobs is not built CONCURRENTLY"]],
  ["DELETE FROM jobs", ["TRUNCATE or DELETE"]],
])("refuses %s", async (statements, problems) => {
  const found = await check(statements);
  expect(found).toEqual(
    expect.arrayContaining(problems.map((problem) => expect.stringContaining(problem))),
  );
});

it.each([
  "CREATE TABLE orders (id text PRIMARY KEY, job_id text REFERENCES jobs (id)); CREATE INDEX ON orders (job_id)",
  "ALTER TABLE jobs ADD COLUMN note text",
  "ALTER TABLE jobs ADD COLUMN cost integer DEFAULT 0 NOT NULL",
])("accepts %s", async (statements) => {
  expect(await check(statements)).toEqual([]);
});

describe("an index on a table that has rows", () => {
  it("is accepted if it is built concurrently, in a migration of its own", () => {
    const index = 'CREATE INDEX CONCURRENTLY "quick" ON "jobs" ("period");';
    const column = 'ALTER TABLE "jobs" ADD COLUMN "note" text;';
    expect(findStatementProblems(index, used)).toEqual([]);
    expect(findStatementProblems(`${index}--> statement-breakpoint\n${column}`, used)).toEqual([
      "CONCURRENTLY needs a migration of its own",
    ]);
  });
});

describe("a table that gets partitions", () => {
  const partitioned = `
    ALTER TABLE saved_views RENAME TO saved_views_before;
    ALTER INDEX saved_views_pkey RENAME TO saved_views_before_pkey;
    CREATE TABLE saved_views (id text, PRIMARY KEY (id)) PARTITION BY RANGE (id);
    CREATE INDEX by_id ON saved_views (id);`;

  it("is renamed, if it is replaced in the same migration", () => {
    expect(findStatementProblems(partitioned, used)).toEqual([]);
    const others = [
      partitioned.replace("PARTITION BY RANGE (id)", ""),
      partitioned.replace("CREATE TABLE saved_views ", "CREATE TABLE other_views "),
      `${partitioned} ALTER TABLE jobs RENAME TO work;`,
    ];
    for (const other of others) expect(findStatementProblems(other, used)).toContain("RENAME");
  });

  it("has their columns in its keys, and no other ones", () => {
    const table = (key: string, partitionKey: string | null) => ({
      views: {
        columns: {},
        constraints: { views_pkey: `PRIMARY KEY (${key})` },
        indexes: {},
        partitionKey,
      },
    });
    const find = (key: string, partitionKey: string | null) =>
      findSchemaProblems(table("id", null), table(key, partitionKey), { views: [] });
    expect(find("id, at", "RANGE (at)")).toEqual([]);
    expect(find("id, at", null)).toEqual(["constraint views_pkey of views is new"]);
    expect(find("id, name", "RANGE (at)")).toEqual(["constraint views_pkey of views is new"]);
  });
});

it("accepts that a function goes only if the last release does not know it", () => {
  const drop = 'DROP FUNCTION "divert"';
  expect(findStatementProblems(drop, used, ["divert"])).toEqual([]);
  expect(findStatementProblems(drop, used)).toHaveLength(1);
});

it("accepts that a column goes which the last release does not use any more", async () => {
  await sql`alter table jobs add column unused text`;
  const before = await readCatalog(sql);
  await sql`alter table jobs drop column unused`;
  const drop = 'ALTER TABLE "jobs" DROP COLUMN "unused"';
  expect(findStatementProblems(drop, used)).toEqual([]);
  expect(findSchemaProblems(before, await readCatalog(sql), used)).toEqual([]);
});

it("accepts every migration since the last release", async () => {
  const problems = newMigrations.flatMap((migration) =>
    findStatementProblems(readMigration(migration), used, listNewFunctions()).map(
      (one) => `${migration.tag}: ${one}`,
    ),
  );
  expect(problems).toEqual([]);
  await migrateDatabase(url);
  expect(findSchemaProblems(released, await readCatalog(sql), used)).toEqual([]);
});

it("has the migrations in the order of their times, or Drizzle would skip one", () => {
  const times = migrations.map(({ when }) => when);
  expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
});
