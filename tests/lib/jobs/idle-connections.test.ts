import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";

/** The settings are as on Vercel: they are read when the modules are loaded. */
process.env.VERCEL = "1";
const { db, notify } = await import("#lib/db/client.ts");
const { createChannelWatcher } = await import("#lib/db/watch-channel.ts");
const { until } = await import("#tests/service/stack.ts");

const admin = postgres(process.env.DATABASE_URL ?? "", { max: 1 });
const held: Promise<unknown>[] = [];
const contextName = Symbol.for("@next/request-context");

beforeAll(() => {
  const waitUntil = (promise: Promise<unknown>) => held.push(promise);
  Reflect.set(globalThis, contextName, { get: () => ({ waitUntil }) });
});

afterAll(async () => {
  Reflect.deleteProperty(globalThis, contextName);
  await admin.end();
});

async function countSessions(): Promise<number> {
  const [row] = await admin`
    select count(*)::int as sessions from pg_stat_activity
    where application_name = 'mediamill-web' and datname = current_database()`;
  return row?.sessions;
}

const received: string[] = [];
const watch = createChannelWatcher("idle_test", (message) => ({ ids: ["all"], message }));

/** Watches until a notification has arrived. */
async function receive(message: string): Promise<void> {
  const stop = await watch("all", (text) => void received.push(text ?? ""));
  await notify(db(), "idle_test", message);
  await until(() => received.includes(message), 30_000);
  stop();
}

it("a function has few connections, runs until they are closed, and opens them again", async () => {
  await Promise.all(Array.from({ length: 6 }, () => db().execute(sql`select pg_sleep(0.05)`)));
  expect(await countSessions()).toBe(2);
  await receive("first");
  expect(await countSessions()).toBe(3);
  expect(held.length).toBeGreaterThan(6);
  await Promise.all(held);
  await until(async () => (await countSessions()) === 0, 20_000);
  await receive("second");
});
