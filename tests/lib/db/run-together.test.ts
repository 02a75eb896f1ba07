import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db, disconnect, runTogether } from "#lib/db/client.ts";
import { databaseUrl } from "#lib/db/connection.ts";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { env } from "#lib/env.ts";
import { FaultProxy } from "#tests/servers/fault-proxy.ts";

const settings: { DATABASE_URL?: string | undefined } = env;
const direct = databaseUrl();
const proxy = new FaultProxy(Number(new URL(direct).port));

beforeAll(async () => {
  await proxy.open();
  await db().execute(sql`create table together (id int)`);
  settings.DATABASE_URL = Object.assign(new URL(direct), { port: proxy.port }).href;
});
afterAll(async () => {
  await disconnect();
  settings.DATABASE_URL = direct;
  await proxy.close();
});

const insert = (id: number) => runTogether([sql`insert into together values (${id})`]);
const readIds = async () =>
  (await db().execute(sql`select id from together order by id`)).map(({ id }) => id);

it("runs none of the statements on the next connection if the transaction could not begin", async () => {
  await insert(1);
  await proxy.close();
  // So long after a connection is lost, the next attempt to connect begins at once.
  await wait(600);
  const failed = expect(insert(2)).rejects.toSatisfy(isDatabaseUnavailable);
  // BEGIN has failed, and the next attempt begins 0.25 s after that or later.
  await wait(100);
  await proxy.open();
  await failed;
  await insert(3);
  expect(await readIds()).toEqual([1, 3]);
});
