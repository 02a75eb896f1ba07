import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { inject } from "vitest";

/**
 * Gives each test file an empty database, before any module reads the environment. The files of a worker run one
 * after the other and share its modules, and so the connections to its database, its data folder and its engines.
 */
const server = inject("databaseUrl");
const name = `test_${process.pid}`;
const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;

if (process.env.DATABASE_URL === url) await emptyTables();
else await createDatabase();

const folder = join(inject("dataFolder"), String(process.pid));
rmSync(join(folder, "storage"), { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
Object.assign(process.env, {
  DATABASE_URL: url,
  DATA_DIR: folder,
  SECRET: "a secret for tests only",
  FETCH_ALLOW: [inject("hostPort"), inject("rangePort"), inject("storePort")]
    .map((port) => `127.0.0.1:${port}`)
    .concat("connections=127.0.0.1:*")
    .join(","),
  LOG_LEVEL: "fatal",
  STATUS_CHECKS: "off",
});

async function createDatabase(): Promise<void> {
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name} template ${inject("databaseTemplate")}`);
  await admin.end();
}

/** Migrations fill no table. */
async function emptyTables(): Promise<void> {
  const own = postgres(url, { max: 1, onnotice: () => {} });
  const rows = await own<{ table: string }[]>`
    select quote_ident(tablename) as table from pg_tables where schemaname = 'public'`;
  await own.unsafe(`truncate ${rows.map(({ table }) => table).join(", ")} restart identity`);
  await own.end();
}
