import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { ApiClient } from "#tests/service/api-client.ts";
import { type Stack, startStack } from "#tests/service/stack.ts";

/** A separate service, because other tests would count too. */
let stack: Stack;
let sql: postgres.Sql;

beforeAll(async () => {
  stack = await startStack();
  sql = postgres((await findRunningDatabase(stack.dataDir)) ?? "", { max: 1 });
});

afterAll(async () => {
  await sql?.end();
  await stack?.stop();
});

/** What the database has counted. */
interface Counters {
  readonly at: number;
  readonly transactions: number;
  /** Updated rows, without the totals of metrics: their number depends on the time, not on jobs. */
  readonly updates: number;
}

/** PostgreSQL's sessions report their counts at the latest after 10 seconds without a statement. */
const reportDelayMs = 10_500;

async function readCounters(): Promise<Counters> {
  await wait(reportDelayMs);
  const [row] = await sql<{ transactions: string; updates: string }[]>`
    select xact_commit + xact_rollback as transactions,
      (select sum(n_tup_upd) from pg_stat_user_tables where relname <> 'metric_totals') as updates
    from pg_stat_database where datname = current_database()`;
  return {
    at: Date.now(),
    transactions: Number(row?.transactions),
    updates: Number(row?.updates),
  };
}

const sampleJobs = 20;

it("an idle service and a small job need few transactions and row updates", async () => {
  const client = new ApiClient(stack.url, stack.apiKey);
  const runJob = async () => {
    const form = new FormData();
    form.set("file", new Blob(["some text"]), "a.txt");
    const response = await client.request("/v1/pipeline/file-inspect", {
      method: "POST",
      headers: { Prefer: "wait=30" },
      body: form,
    });
    expect(response.status).toBe(200);
  };
  for (let count = 0; count < 3; count++) await runJob();
  const start = await readCounters();
  await wait(10_000);
  const idle = await readCounters();
  for (let count = 0; count < sampleJobs; count++) await runJob();
  const end = await readCounters();
  const idleSeconds = (idle.at - start.at) / 1000;
  const jobSeconds = (end.at - idle.at) / 1000;
  const perSecond = {
    transactions: (idle.transactions - start.transactions) / idleSeconds,
    updates: (idle.updates - start.updates) / idleSeconds,
  };
  const perJob = {
    transactions:
      (end.transactions - idle.transactions - perSecond.transactions * jobSeconds) / sampleJobs,
    updates: (end.updates - idle.updates - perSecond.updates * jobSeconds) / sampleJobs,
  };
  // The measured values, for docs/performance.md.
  process.stdout.write(`${JSON.stringify({ perSecond, perJob })}\n`);
  // The sweep of every minute may fall into the measured seconds.
  expect(perSecond.transactions).toBeLessThan(2.5);
  expect(perJob.transactions).toBeLessThan(8);
  expect(perJob.updates).toBeLessThan(8);
}, 240_000);
