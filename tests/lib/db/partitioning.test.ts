import postgres from "postgres";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { migrations } from "#tests/release/last-release.ts";
import {
  insertAsBefore,
  type OldRequest,
  requestStatements,
} from "#tests/release/request-statements.ts";
import { createEmptyDatabase } from "#tests/service/database/fresh-database.ts";

/** The upgrade to a request log with partitions, while services of the version before it work. */

const dayMs = 86_400_000;
const before = "0046_gotenberg_webhook_calls";

let url: string;
/** Prepares each statement once, as the pool of a service does. */
let sql: postgres.Sql;

beforeEach(async () => {
  url = await createEmptyDatabase();
  sql = postgres(url, { max: 1, onnotice: () => {} });
});
afterEach(() => sql.end());

const migrate = (tag: string) =>
  migrateDatabase(url, { through: migrations.find((one) => one.tag === tag)?.when ?? 0 });

async function fill(rows: number): Promise<void> {
  await migrate(before);
  await sql`insert into accounts (id, email, webhook_secret)
    values ('a', 'a@b.c', 's'), ('b', 'b@b.c', 's')`;
  await sql`insert into api_requests
      (id, account_id, api_key_id, method, path, status, duration_ms, params, created_at)
    select 'req_' || lpad(i::text, 6, '0'), 'a', 'key', 'GET', '/v1/jobs', 200, 1, '{}',
      now() - i * interval '6.9 days' / ${rows}::int
    from generate_series(1, ${rows}::int) as i`;
}

const request = (id: string, days = 0, accountId = "a"): OldRequest => ({
  id,
  accountId,
  createdAt: new Date(Date.now() + days * dayMs).toISOString(),
});

const list = async (text = "select id from api_requests order by id") =>
  (await sql.unsafe<{ id: string }[]>(text)).map(({ id }) => id);

const listPartitions = () =>
  list(`select inhrelid::regclass::text as id from pg_inherits
    where inhparent = 'api_requests'::regclass order by 1`);

const nameOf = (days: number) =>
  `api_requests_${new Date(Date.now() + days * dayMs).toISOString().slice(0, 10).replaceAll("-", "")}`;

it.each([
  before,
  "0047_requests_by_id_and_time",
  "0048_requests_before_a_day",
  "0049_validate_requests",
])("loses nothing if it stops after %s for some time", async (tag) => {
  await fill(100);
  const kept = await list();
  await insertAsBefore(sql, [request("req_future", 30)]);
  await migrate(tag);
  // The last one as days later.
  const stored = [request("req_x"), request("req_y", 1), request("req_z", 4)];
  await insertAsBefore(sql, stored);
  await migrateDatabase(url);
  await insertAsBefore(sql, [...stored.slice(0, 2), request("req_zz"), request("req_zzz", -20)]);
  expect(await list()).toEqual(
    [...kept, "req_future", "req_x", "req_y", "req_z", "req_zz", "req_zzz"].sort(),
  );
  expect(await list("select tgname as id from pg_trigger where tgname like 'divert%'")).toEqual([]);
  expect(
    await list("select relname as id from pg_class where relname = 'api_requests_late'"),
  ).toEqual([]);
});

it("makes the table a partition, for all requests until the day after tomorrow", async () => {
  await fill(100);
  const kept = await list();
  await migrateDatabase(url);
  expect(await list("select id from api_requests_before order by id")).toEqual(kept);
  await insertAsBefore(sql, [request("req_now"), request("req_later", 2)]);
  expect(await list("select id from only api_requests_before where id > 'req_a'")).toEqual([
    "req_now",
  ]);
  expect(await listPartitions()).toEqual([
    ...[2, 3].map(nameOf),
    "api_requests_before",
    "api_requests_default",
  ]);
});

it("reads no row of the table while it has its lock", async () => {
  await fill(5000);
  await migrate("0049_validate_requests");
  const countReads = async () => {
    const [row] = await sql`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as reads
      from pg_stat_user_tables where relname in ('api_requests', 'api_requests_before')`;
    return Number(row?.reads);
  };
  // What other connections have counted is there when they have ended.
  const settle = () =>
    expect
      .poll(() => sql`select from pg_stat_activity where datname = current_database()`)
      .toHaveLength(1);
  await settle();
  const start = await countReads();
  expect(start).toBeGreaterThanOrEqual(5000);
  await migrateDatabase(url);
  await settle();
  expect((await countReads()) - start).toBeLessThan(10);
});

it("has days at once in a new database", async () => {
  await migrateDatabase(url);
  const days = [-7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3].map(nameOf);
  expect(await listPartitions()).toEqual([...days, "api_requests_default"]);
});

it("fails no statement of the version before, while it runs and afterwards", async () => {
  await fill(20_000);
  let done = false;
  const inserted: string[] = [];
  const run = async (name: string) => {
    const own = postgres(url, { max: 1, onnotice: () => {} });
    const send = (text: string, values: (string | number)[]) =>
      own.unsafe(text, values, { prepare: true });
    for (let count = 0, afterwards = 0; afterwards < 5; count++) {
      const id = `req_${name}_${String(count).padStart(6, "0")}`;
      await insertAsBefore(own, [request(id, count % 20 === 0 ? 3 : 0, "b")]);
      inserted.push(id);
      await send(requestStatements.find, [id, "b"]);
      expect(await send(requestStatements.list, ["a", 21])).toHaveLength(21);
      await send(requestStatements.trim, ["a", "a", 19_000]);
      await own.begin(async (tx) => {
        await tx`update accounts set plan = 'pro' where id = 'a'`;
        await tx.unsafe(requestStatements.deleteOld, [7], { prepare: true });
      });
      if (done) afterwards++;
    }
    await own.end();
  };
  const services = ["m", "n"].map(run);
  await migrateDatabase(url);
  done = true;
  await Promise.all(services);
  expect(await list("select id from api_requests where account_id = 'b' order by id")).toEqual(
    inserted.sort(),
  );
  const [row] = await sql`select count(*)::int from api_requests where account_id = 'a'`;
  expect(row?.count).toBe(19_000);
  await sql`delete from accounts where id = 'b'`;
  expect(await list("select id from api_requests where account_id = 'b'")).toEqual([]);
});
