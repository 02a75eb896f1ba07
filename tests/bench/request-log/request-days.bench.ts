import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { db, disconnect, transaction } from "#lib/db/client.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { deleteOldRequests } from "#lib/db/queries/requests/retention.ts";
import { env } from "#lib/env.ts";
import { sweepRequestLog } from "#lib/jobs/runner/retention.ts";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { migrations } from "#tests/release/last-release.ts";
import { insertAsBefore, requestStatements } from "#tests/release/request-statements.ts";
import { reportedRows } from "../measure/measure.ts";
import { makeRow } from "../report/rows.ts";

/**
 * The request log as one table and with a partition for each day: the end of a day, the sweep of each minute, and what
 * requests and the dashboard do, with the requests of eight days. Then the upgrade of the one table, while clients of
 * the version before insert. `REQUESTS` is their number.
 */

const requests = Number(process.env.REQUESTS ?? 1_000_000);
const accounts = 200;
const rounds = 20;
const dayMs = 86_400_000;
/** Rows are inserted in parts, so that no statement has all of them in memory. */
const partRows = 250_000;
const inserters = 3;

const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
const database = await startDatabase(folder);
const server = postgres(database.url, { max: 1, onnotice: () => {} });
const today = Math.floor(Date.now() / dayMs) * dayMs;

interface Side {
  readonly name: string;
  readonly url: string;
  readonly sql: postgres.Sql;
}

async function open(name: string): Promise<Side> {
  await server.unsafe(`create database ${name}`);
  const url = Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
  return {
    name: name.replaceAll("_", " "),
    url,
    sql: postgres(url, { max: 1, onnotice: () => {} }),
  };
}

/** From the start of the day that is past its time since midnight until now. */
async function fill({ sql }: Side): Promise<void> {
  await sql`insert into accounts (id, email, webhook_secret)
    select 'acc_' || i, i || '@example.com', 's' from generate_series(0, ${accounts - 1}::int) as i`;
  const start = new Date(today - 8 * dayMs);
  for (let done = 0; done < requests; done += partRows) {
    await sql`insert into api_requests
        (id, account_id, api_key_id, method, path, status, address, duration_ms, job_id, params, created_at)
      select 'req_' || lpad(i::text, 24, '0'), 'acc_' || i % ${accounts}::int, 'key_1', 'POST', '/v1/image/resize',
        202, '192.0.2.1', 12, 'job_' || lpad(i::text, 24, '0'),
        '{"fields":{"input":"https://example.com/photo.jpg?size=large","width":640,"fit":"cover"}}',
        ${start}::timestamptz + i * (now() - ${start}::timestamptz) / ${requests}::int
      from generate_series(${done}::int, ${Math.min(requests, done + partRows) - 1}::int) as i`;
  }
  await sql`vacuum analyze api_requests`;
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function repeat(work: (round: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -2; round < rounds; round++) {
    const ms = await measure(() => work(round));
    if (round >= 0) times.push(ms);
  }
  return times;
}

const readWal = async ({ sql }: Side) => {
  const [row] = await sql`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`;
  return Number(row?.bytes);
};

const makeBatch = (name: string) =>
  Array.from({ length: 100 }, (_, index) => ({
    id: `req_${name}_${index}`,
    accountId: `acc_${index % accounts}`,
    createdAt: new Date().toISOString(),
  }));

type Work = () => Promise<unknown>;

/** `endDay` deletes the oldest day, `sweep` what is past its time. */
async function measureSide(side: Side, endDay: Work, sweep: Work): Promise<void> {
  const { name, sql } = side;
  const send = (text: string, values: (string | number)[]) =>
    sql.unsafe(text, values, { prepare: true });
  const walBefore = await readWal(side);
  const dayMilliseconds = await measure(endDay);
  const walBytes = (await readWal(side)) - walBefore;
  const add = (row: string, unit: string, values: number | number[]) =>
    reportedRows.push(makeRow(row, name, unit, values));
  add("the end of a day", "ms", dayMilliseconds);
  add("the end of a day: WAL", "MB", walBytes / 1e6);
  add("the sweep of each minute", "ms", await repeat(sweep));
  add(
    "insert 100 requests",
    "ms",
    await repeat((round) => insertAsBefore(sql, makeBatch(`r${round}`))),
  );
  const account = (round: number) => `acc_${(round + accounts) % accounts}`;
  add(
    "list a page",
    "ms",
    await repeat((round) => send(requestStatements.list, [account(round), 21])),
  );
  const id = `req_${String(requests - accounts).padStart(24, "0")}`;
  add("find a request", "ms", await repeat(() => send(requestStatements.find, [id, "acc_0"])));
}

/** Applies the migrations to the table of `side`, while clients insert as before. */
async function measureUpgrade({ url, sql }: Side): Promise<void> {
  let done = false;
  let slowest = 0;
  let failed = 0;
  const run = async (name: string) => {
    const own = postgres(url, { max: 1, onnotice: () => {} });
    let sent = 0;
    while (!done) {
      const batch = makeBatch(`${name}${sent}`);
      const ms = await measure(() => insertAsBefore(own, batch).catch(() => failed++));
      sent += batch.length;
      slowest = Math.max(slowest, ms);
    }
    await own.end();
    return sent;
  };
  const clients = Array.from({ length: inserters }, (_, index) => run(`u${index}_`));
  const seconds = (await measure(() => migrateDatabase(url))) / 1000;
  done = true;
  const sent = (await Promise.all(clients)).reduce((sum, count) => sum + count);
  const [row] = await sql`select count(*)::int from api_requests where id like 'req_u%'`;
  reportedRows.push(
    makeRow("the upgrade", "all migrations", "s", seconds),
    makeRow("the upgrade", "the slowest insert of 100 requests", "ms", slowest),
    makeRow("the upgrade", "failed inserts", "", failed, { target: { max: 0 } }),
    makeRow("the upgrade", "missing requests", "", sent - Number(row?.count), {
      target: { max: 0 },
    }),
  );
}

try {
  const table = await open("one_table");
  await migrateDatabase(table.url, {
    through: migrations.find(({ tag }) => tag.startsWith("0046_"))?.when ?? 0,
  });
  await fill(table);
  await measureSide(
    table,
    () => table.sql`delete from api_requests where created_at < ${new Date(today - 7 * dayMs)}`,
    () => table.sql.unsafe(requestStatements.deleteOld, [7], { prepare: true }),
  );

  const days = await open("a_partition_a_day");
  await migrateDatabase(days.url);
  const [oldest, next] = [8, 7].map((ago) => new Date(today - ago * dayMs).toISOString());
  await days.sql.unsafe(`create table api_requests_oldest partition of api_requests
    for values from ('${oldest}') to ('${next}')`);
  await fill(days);
  // The environment was read before the database had a URL.
  Object.assign(env, { DATABASE_URL: days.url });
  // Opens the connection.
  await db().execute("select 1");
  const sweepLog = async () => {
    await transaction(deleteOldRequests);
    await sweepRequestLog();
  };
  await measureSide(days, sweepLog, sweepLog);

  await measureUpgrade(table);
  await Promise.all([table.sql.end(), days.sql.end()]);
} finally {
  await disconnect();
  await server.end();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}
