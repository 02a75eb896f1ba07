import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Queryable } from "#lib/db/client.ts";
import { isLockTimeout } from "#lib/db/errors.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { insertRequests } from "#lib/db/queries/requests/insert.ts";
import { listRequestGroups, listRequests } from "#lib/db/queries/requests/lists.ts";
import {
  changeRequestPartitions,
  listMissingDays,
  lockRequestPartitions,
} from "#lib/db/queries/requests/partitions.ts";
import { deleteOldRequests } from "#lib/db/queries/requests/retention.ts";
import * as schema from "#lib/db/tables.ts";
import { openExplained } from "#tests/service/database/explain.ts";
import { createEmptyDatabase } from "#tests/service/database/fresh-database.ts";

const dayMs = 86_400_000;
const base = "api_requests";

let url: string;
let client: postgres.Sql;
let db: ReturnType<typeof open>;

const open = (one: postgres.Sql) => drizzle(one, { schema, casing: "snake_case" });
const inTransaction = <Result>(work: (tx: Queryable) => Promise<Result>) => db.transaction(work);
const change = () => inTransaction(changeRequestPartitions);

beforeAll(async () => {
  url = await createEmptyDatabase();
  await migrateDatabase(url);
  client = postgres(url, { max: 6, onnotice: () => {} });
  db = open(client);
});
afterAll(() => client.end());

/** Without any partition but the default one. */
beforeEach(async () => {
  for (const name of await listPartitions()) await client.unsafe(`drop table ${name}`);
  await client`truncate accounts cascade`;
  await client`insert into accounts (id, email, webhook_secret)
    values ('a', 'a@b.c', 's'), ('b', 'b@b.c', 's')`;
});

/** Those that are not the default one. */
async function listPartitions(): Promise<string[]> {
  const rows = await client<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'api_requests'::regclass order by 1`;
  return rows.map(({ name }) => name).filter((name) => name !== `${base}_default`);
}

/** `days`: from now. */
const insert = (id: string, days: number, accountId = "a") =>
  insertRequests(db, [
    {
      id,
      accountId,
      apiKeyId: "key",
      method: "GET",
      path: "/v1/jobs",
      status: 200,
      errorCode: null,
      error: null,
      address: null,
      durationMs: 1,
      jobId: null,
      params: {},
      createdAt: new Date(Date.now() + days * dayMs),
    },
  ]);

/** The requests by partition. */
async function readRows(): Promise<Record<string, string[]>> {
  const rows = await client<{ id: string; name: string }[]>`
    select id, tableoid::regclass::text as name from api_requests order by id`;
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ name }) => name)].map(([name, found]) => [
      name,
      found.map(({ id }) => id),
    ]),
  );
}

/** Makes a partition for the times from `start` to `end`; null: all earlier ones. */
async function addPartition(name: string, start: Date | null, end: Date): Promise<void> {
  const from = start ? `'${start.toISOString()}'` : "minvalue";
  await client.unsafe(`create table ${base}_${name} partition of ${base}
    for values from (${from}) to ('${end.toISOString()}')`);
}

const dayAt = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const nameOf = (days: number) => `${base}_${dayAt(days).replaceAll("-", "")}`;
const ago = (days: number) => new Date(Date.now() - days * dayMs);

describe("days", () => {
  it("are made for today and the next three days, once", async () => {
    expect(await change()).toEqual({ days: [0, 1, 2, 3].map(dayAt), dropped: [] });
    expect(await change()).toEqual({ days: [], dropped: [] });
    expect(await listPartitions()).toEqual([0, 1, 2, 3].map(nameOf));
    await insert("req_1", 0);
    await insert("req_2", 3);
    expect(await readRows()).toEqual({ [nameOf(0)]: ["req_1"], [nameOf(3)]: ["req_2"] });
  });

  it("are those of UTC in any time zone of a session", async () => {
    const other = postgres(url, {
      max: 1,
      onnotice: () => {},
      connection: { TimeZone: "America/Sao_Paulo" },
    });
    await open(other).transaction(changeRequestPartitions);
    await other.end();
    expect(await listMissingDays(db)).toEqual([]);
    const bounds = await client`select pg_get_expr(relpartbound, oid) as bound from pg_class
      where oid = ${nameOf(0)}::regclass`;
    expect(bounds).toEqual([
      { bound: `FOR VALUES FROM ('${dayAt(0)} 00:00:00+00') TO ('${dayAt(1)} 00:00:00+00')` },
    ]);
  });

  it("are made once by sweeps at the same time", async () => {
    const changes = await Promise.all([1, 2, 3, 4, 5].map(change));
    expect(changes.flatMap((one) => one?.days ?? [])).toEqual([0, 1, 2, 3].map(dayAt));
    await inTransaction(async (tx) => {
      expect(await lockRequestPartitions(tx)).toBe(true);
      expect(await change()).toBeUndefined();
    });
  });

  it("of which there are requests already, and those of the table before, are left out", async () => {
    await addPartition("before", null, new Date(dayAt(1)));
    await insert("req_1", 0);
    await insert("req_2", 2);
    expect(await change()).toEqual({ days: [1, 3].map(dayAt), dropped: [] });
    expect(await change()).toEqual({ days: [], dropped: [] });
    await insert("req_3", 2);
    expect(await readRows()).toEqual({
      [`${base}_before`]: ["req_1"],
      [`${base}_default`]: ["req_2", "req_3"],
    });
  });

  it("have the indexes of the table", async () => {
    await change();
    const rows = await client`select count(*)::int from pg_index
      where indrelid in (${nameOf(0)}::regclass, ${nameOf(3)}::regclass)
        and indisvalid group by indrelid`;
    expect(rows).toEqual([{ count: 3 }, { count: 3 }]);
  });

  it("wait for a statement only so long that no other one waits for long", async () => {
    const reads = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const reader = inTransaction(async (tx) => {
      await tx.execute(sql`select 1 from api_requests`);
      reads.resolve();
      await end.promise;
    });
    try {
      await reads.promise;
      await expect(change()).rejects.toSatisfy(isLockTimeout);
      // Would never end if the change kept its place in the queue for the lock.
      await insert("req_1", 0);
    } finally {
      end.resolve();
      await reader;
    }
    expect((await change())?.days).toEqual([1, 2, 3].map(dayAt));
  });
});

describe("requests", () => {
  it("of any time are stored without a partition of their day", async () => {
    for (const [index, days] of [-3000, -8, 0, 5, 3000].entries())
      await insert(`req_${index}`, days);
    expect(await readRows()).toEqual({
      [`${base}_default`]: ["req_0", "req_1", "req_2", "req_3", "req_4"],
    });
  });

  it("are dropped with their day when the last of them is past its time", async () => {
    await addPartition("old", ago(9), ago(8));
    await addPartition("ended", ago(8), ago(7));
    await addPartition("border", ago(7), ago(6.5));
    await insert("req_1", -8.5);
    await insert("req_2", -7.5);
    // Past its time, too, but not the last of its partition.
    await insert("req_3", -6.99999);
    await insert("req_4", -6.6);
    const { dropped } = (await change()) ?? {};
    expect(dropped).toEqual([`${base}_old`, `${base}_ended`]);
    await inTransaction(deleteOldRequests);
    expect(await readRows()).toEqual({ [`${base}_border`]: ["req_3", "req_4"] });
  });

  it("are dropped without a lock of the accounts", async () => {
    await change();
    await addPartition("old", ago(9), ago(8));
    await inTransaction(async (tx) => {
      expect((await changeRequestPartitions(tx))?.dropped).toEqual([`${base}_old`]);
      const locks = await tx.execute(sql`select mode from pg_locks
        where pid = pg_backend_pid() and relation = 'accounts'::regclass`);
      expect([...locks]).toEqual([]);
    });
  });

  it("without a partition of their day are deleted when they are past their time", async () => {
    await addPartition("before", null, ago(6));
    await insert("req_1", -8);
    await insert("req_2", -7.001);
    await insert("req_3", -6.999);
    await insert("req_4", 30);
    await inTransaction(deleteOldRequests);
    expect(await readRows()).toEqual({
      [`${base}_before`]: ["req_3"],
      [`${base}_default`]: ["req_4"],
    });
    await client.unsafe(`drop table ${base}_before`);
    await insert("req_5", -7.001);
    await insert("req_6", -6.999);
    await inTransaction(deleteOldRequests);
    expect(await readRows()).toEqual({ [`${base}_default`]: ["req_4", "req_6"] });
  });

  it("before the first day go with their table when the last is past its time", async () => {
    await addPartition("before", null, ago(6.999));
    expect((await change())?.dropped).toEqual([]);
    await client.unsafe(`drop table ${base}_before`);
    await addPartition("before", null, ago(7.001));
    expect((await change())?.dropped).toEqual([`${base}_before`]);
  });

  it("are not deleted by a sweep while another one changes partitions", async () => {
    await insert("req_1", -8);
    await inTransaction(async (tx) => {
      await lockRequestPartitions(tx);
      await inTransaction(deleteOldRequests);
    });
    expect(await readRows()).toEqual({ [`${base}_default`]: ["req_1"] });
  });

  it("of a deleted account go from all partitions", async () => {
    await addPartition("before", null, new Date(dayAt(0)));
    await change();
    for (const days of [-1, 0, 1, 9]) {
      await insert(`req_a${days}`, days);
      await insert(`req_b${days}`, days, "b");
    }
    await insert("req_c", 0, "none");
    await client`delete from accounts where id = 'b'`;
    expect(
      Object.values(await readRows())
        .flat()
        .sort(),
    ).toEqual(["req_a-1", "req_a0", "req_a1", "req_a9"].sort());
  });
});

describe("the plan of a list", () => {
  it("has only the partitions of its dates", async () => {
    await change();
    for (let index = 0; index < 40; index++) await insert(`req_${index}`, index % 4);
    const explained = openExplained(url);
    const day = { createdAfter: new Date(dayAt(1)), createdBefore: new Date(dayAt(2)) };
    for (const query of [listRequests, listRequestGroups]) {
      const { plans } = await explained.explain((tx) => query(tx, "a", day, { limit: 10 }));
      expect(plans).toContain(nameOf(1));
    }
    const { plans } = await explained.explain((tx) => listRequests(tx, "a", day, { limit: 10 }));
    const { plans: all } = await explained.explain((tx) =>
      listRequests(tx, "a", {}, { limit: 10 }),
    );
    await explained.close();
    const used = (text: string) => [...new Set(text.match(/api_requests_(\d{8}|default)/g))].sort();
    expect(used(plans)).toEqual([nameOf(1)]);
    expect(used(all)).toEqual([...[0, 1, 2, 3].map(nameOf), `${base}_default`]);
  });
});
