import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrateDatabase, parseIndexStatement } from "#lib/db/migrate.ts";
import { migrations } from "#tests/release/last-release.ts";
import { createEmptyDatabase } from "#tests/service/database/fresh-database.ts";

const index = "webhook_deliveries_manual";
const beforeIndex = migrations.find(({ tag }) => tag === "0031_reauthentication")?.when ?? 0;

let url: string;
let sql: postgres.Sql;

beforeEach(async () => {
  url = await createEmptyDatabase();
  sql = postgres(url, { max: 4, onnotice: () => {} });
});

afterEach(() => sql.end());

const applied = () =>
  sql`select created_at::float8 as when from drizzle.__drizzle_migrations order by id`;
const isValid = async () => {
  const [row] = await sql`select indisvalid as valid from pg_index
    where indexrelid = to_regclass(${index})`;
  return row?.valid;
};

it("migrates once when several processes start at the same time", async () => {
  await Promise.all([1, 2, 3, 4].map(() => migrateDatabase(url)));
  expect(await applied()).toEqual(migrations.map(({ when }) => ({ when })));
  expect(await isValid()).toBe(true);
});

it("replaces an index that an interrupted start left incomplete", async () => {
  await migrateDatabase(url, { through: beforeIndex });
  await sql`insert into accounts (id, email, webhook_secret) values ('a', 'a@b.c', 's')`;
  await sql`insert into webhook_deliveries (id, account_id, url, event)
    select 'd' || n, 'a', 'http://a.example', 'test' from generate_series(1, 2) n`;
  const interrupted = sql.unsafe(
    `create unique index concurrently ${index} on webhook_deliveries (account_id)`,
  );
  await expect(interrupted).rejects.toThrow("could not create unique index");
  expect(await isValid()).toBe(false);
  await migrateDatabase(url);
  expect(await isValid()).toBe(true);
  await migrateDatabase(url);
});

it("does not block a table while it waits for a service that uses it", async () => {
  await migrateDatabase(url, { through: migrations.at(26)?.when ?? 0 });
  await sql`insert into accounts (id, email, webhook_secret) values ('a', 'a@b.c', 's')`;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const holder = sql.begin(async (tx) => {
    await tx`select 1 from accounts`;
    await end;
  });
  const migrated = migrateDatabase(url);
  await wait(500);
  // Would never end if the migration kept its place in the queue for the lock.
  await sql`update accounts set plan = 'pro' where id = 'a'`;
  resolve();
  await Promise.all([holder, migrated]);
  expect(await applied()).toHaveLength(migrations.length);
});

it("builds indexes outside a transaction only if the migration can be repeated", () => {
  expect(parseIndexStatement('-- why\nDROP INDEX CONCURRENTLY IF EXISTS "a_b";')).toEqual({
    action: "DROP",
    index: "a_b",
  });
  expect(() => parseIndexStatement('ALTER TABLE "jobs" ADD COLUMN "a" text')).toThrow(
    "only CREATE INDEX CONCURRENTLY",
  );
});
