import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exportDatabase } from "#lib/db/backup/export-database.ts";
import { importDatabase, isEmptyDatabase } from "#lib/db/backup/import-database.ts";
import type { BackupTable } from "#lib/db/backup/tables.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { migrations } from "#tests/release/last-release.ts";
import { insertAsBefore } from "#tests/release/request-statements.ts";
import { createEmptyDatabase } from "#tests/service/database/fresh-database.ts";

/** Backups of the request log, which has partitions. */

const ids = ["req_1", "req_2", "req_3", "req_4"];
let url: string;
let sql: postgres.Sql;

beforeAll(async () => {
  url = await createEmptyDatabase();
  sql = postgres(url, { max: 1, onnotice: () => {} });
});
afterAll(() => sql.end());

/** Of a time long ago, of days, and of the future. */
async function fill(): Promise<void> {
  await sql`insert into accounts (id, email, webhook_secret) values ('a', 'a@b.c', 's')`;
  const requests = [-100, -2, 0, 100].map((days, index) => ({
    id: ids[index] ?? "",
    accountId: "a",
    createdAt: new Date(Date.now() + days * 86_400_000).toISOString(),
  }));
  await insertAsBefore(sql, requests);
}

interface Backup {
  readonly migration: number;
  readonly rows: ReadonlyMap<BackupTable, Buffer>;
}

async function createBackup(): Promise<Backup> {
  const rows = new Map<BackupTable, Buffer>();
  let migration = 0;
  await exportDatabase(url, async (snapshot) => {
    migration = snapshot.migration;
    for (const table of snapshot.tables) {
      const pieces: Buffer[] = [];
      for await (const piece of snapshot.read(table)) pieces.push(piece);
      rows.set(table, Buffer.concat(pieces));
    }
  });
  return { migration, rows };
}

/** Resolves with the requests of the restored database, by their partition. */
async function restore({ migration, rows }: Backup): Promise<postgres.Row[]> {
  const restored = await createEmptyDatabase();
  await importDatabase(restored, migration, async (database) => {
    for (const [table, bytes] of rows) await database.write(table, bytes);
  });
  const other = postgres(restored, { max: 1 });
  const found = await other`select id, account_id, params, created_at,
    tableoid::regclass::text as partition from api_requests order by id`;
  await other.end();
  return [...found];
}

it("of the version before: its requests become those of the partition before the first day", async () => {
  const through = migrations.find(({ tag }) => tag.startsWith("0046_"))?.when ?? 0;
  await migrateDatabase(url, { through });
  await fill();
  const found = await restore(await createBackup());
  expect(found.map(({ id, partition }) => [id, partition])).toEqual(
    ids.map((id) => [id, "api_requests_before"]),
  );
});

it("have the requests of all partitions as those of one table", async () => {
  await migrateDatabase(url);
  await sql`insert into api_requests select 'req_5', account_id, api_key_id, method, path, status, error_code, error,
    address, duration_ms, job_id, params, now() + interval '200 days' from api_requests limit 1`;
  const backup = await createBackup();
  const names = [...backup.rows.keys()].map(({ name }) => name);
  expect(names.filter((name) => name.startsWith("api_requests"))).toEqual(["api_requests"]);
  const found = await restore(backup);
  const stored = await sql`select id, account_id, params, created_at from api_requests order by id`;
  expect(found.map(({ partition: _, ...row }) => row)).toEqual([...stored]);
  const partitions = found.map(({ partition }) => String(partition).replace(/\d+/, "day"));
  expect(partitions).toEqual([
    "api_requests_default",
    "api_requests_day",
    "api_requests_day",
    "api_requests_day",
    "api_requests_default",
  ]);
  expect(await isEmptyDatabase(url)).toBe(false);
});

it("by a version that writes each partition as a table are restored, too", async () => {
  const { migration, rows } = await createBackup();
  const [table, bytes] = [...rows].find(([{ name }]) => name === "api_requests") ?? [];
  if (!table || !bytes) throw new Error("the backup has no requests");
  const lines = bytes.toString().split(/(?<=\n)/);
  const written = new Map([...rows].filter(([one]) => one !== table));
  for (const [index, part] of ["20261101", "before", "default"].entries()) {
    const own = lines.filter((_, line) => line % 3 === index).join("");
    written.set({ ...table, name: `api_requests_${part}` }, Buffer.from(own));
  }
  const found = await restore({ migration, rows: written });
  expect(found.map(({ id }) => id)).toEqual([...ids, "req_5"]);
});
