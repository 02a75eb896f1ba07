import { type SQL, sql } from "drizzle-orm";
import { afterEach, expect, inject, it, vi } from "vitest";
import { startInngestWebhookRunner } from "#inngest/webhook-runner.ts";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import type { Runner } from "#lib/jobs/runner/media-runner.ts";
import { reenqueueWaiting } from "#lib/jobs/runner/sweep.ts";
import { inngest } from "#tests/servers/inngest/inngest.ts";
import {
  enqueueTestEvent,
  insertOverdueDeliveries,
  readDelivery,
} from "#tests/service/deliveries.ts";
import { makeAccount } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** Receivers that hang are given up sooner, but not before the rest of a test is done on a busy machine. */
vi.mock("#times", async (importOriginal) => {
  const { times } = await importOriginal<typeof import("#lib/times.ts")>();
  return { times: { ...times, webhookResponseMs: 8000, attemptLeaseSeconds: 15 } };
});

const host = `http://127.0.0.1:${inject("hostPort")}`;
let runner: Runner | undefined;

async function start(): Promise<Runner> {
  const started = await startInngestWebhookRunner();
  runner = started;
  await waitUntil(() => started.isWorking());
  return started;
}

afterEach(async () => {
  await runner?.stop();
  await db().execute(sql`delete from webhook_deliveries`);
});

async function count(condition: SQL): Promise<number> {
  const [row] = await db().execute<{ count: number }>(
    sql`select count(*)::int from webhook_deliveries where ${condition}`,
  );
  return row?.count ?? 0;
}

/** Deliveries whose first attempt runs. */
const countClaimed = () =>
  count(sql`status = 'pending' and attempts = '[]' and next_attempt_at > now()`);

/** Deliveries to receivers that hang whose first attempt has ended. */
const countAttempted = () => count(sql`url like '%/hang/%' and attempts <> '[]'`);

async function enqueueMany(deliveries: number, owner: Account, url: string): Promise<void> {
  await insertOverdueDeliveries(deliveries, owner, url);
  await db().execute(sql`update webhook_deliveries set enqueued_at = null`);
  await reenqueueWaiting();
}

it("an endpoint that hangs delays neither other paths of its host nor other accounts, and holds 20 slots", async () => {
  await start();
  const owner = await makeAccount();
  const other = await makeAccount();
  await enqueueMany(30, owner, `${host}/hang/1`);
  await waitUntil(async () => (await countClaimed()) === 20);
  const path = `/hook/${Date.now()}/200`;
  const delivered = await Promise.all(
    [owner, other].map((account) => enqueueTestEvent(account, `${host}${path}`)),
  );
  for (const id of delivered) {
    await waitUntil(async () => (await readDelivery(id)).status === "delivered");
  }
  // None of the others has ended: these did not wait for them.
  expect(await countClaimed()).toBe(20);
  await waitUntil(() => inngest.executor.callsOf("mediamill-webhooks") === 20);
  // The runs whose attempts end make those that were over the limit.
  await waitUntil(async () => (await countAttempted()) === 30, 60_000);
});

it("a runner that stops ends its attempts; the deliveries that wait in it are enqueued again", async () => {
  const { stop } = await start();
  await enqueueMany(23, await makeAccount(), `${host}/hang/2`);
  await waitUntil(async () => (await countClaimed()) === 20);
  runner = undefined;
  await stop();
  expect(await countAttempted()).toBe(20);
  const waiting = sql`status = 'pending' and attempts = '[]' and enqueued_at is null`;
  expect(await count(waiting)).toBe(3);
});
