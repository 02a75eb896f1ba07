import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { db, disconnect } from "#lib/db/client.ts";
import { env } from "#lib/env.ts";
import { startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { startWebhookRunner } from "#lib/jobs/runner/webhook-runner.ts";
import { type Pooler, startPooler } from "#tests/servers/pgbouncer.ts";
import { jobScenarios, type QueueUnderTest } from "#tests/service/job-scenarios.ts";
import { shortTimes } from "#tests/service/jobs.ts";

/**
 * The life of jobs with all statements through a pooler in transaction mode, from a process with one
 * connection: a statement that needs a session or a second connection fails, or waits for ever.
 */
const { DATABASE_URL, DATABASE_POOL } = env;
const stops: (() => Promise<void>)[] = [];
let pooler: Pooler;

beforeAll(async () => {
  pooler = await startPooler(DATABASE_URL ?? "");
  const settings = { DATABASE_URL: pooler.url, DATABASE_LISTEN_URL: DATABASE_URL };
  Object.assign(env, { ...settings, DATABASE_POOL: 1 });
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

afterAll(async () => {
  await disconnect();
  Object.assign(env, { DATABASE_URL, DATABASE_LISTEN_URL: undefined, DATABASE_POOL });
  await pooler.stop();
});

const queue: QueueUnderTest = {
  async startMedia(times) {
    const runner = await startMediaRunner({ ...shortTimes, ...times });
    stops.push(runner.stop);
    return runner;
  },
  async startWebhooks() {
    const runner = await startWebhookRunner();
    stops.push(runner.stop);
    return runner;
  },
  losingMessages: (work) => work(),
};

/** One for each use of the database: claims, notifications, locks of runners, deliveries. */
const names = [
  "a job with a stored file completes, and its usage is counted",
  "a job that is cancelled while it runs is stopped, and its slot is free again",
  "two jobs of a free account run at once, fetching or not",
  "a job's end is sent to its webhook once",
  "the job of a runner that vanished is picked up by another",
];

describe("behind a pooler in transaction mode", () => {
  const scenarios = jobScenarios.filter(({ name }) => names.includes(name));

  it.each(scenarios)("$name", async ({ run }) => {
    const before = await pooler.countTransactions();
    await run(queue);
    expect(await pooler.countTransactions()).toBeGreaterThan(before + 5);
  });

  it("a statement that follows one without parameters at once is answered", async () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    const statements = numbers.map((number) =>
      db().execute<{ number: number }>(
        number % 2 ? sql`select ${number}::int as number` : sql.raw(`select ${number} as number`),
      ),
    );
    const rows = await Promise.all(statements);
    expect(rows.map(([row]) => row?.number)).toEqual(numbers);
  });

  it("knows these scenarios", () => {
    expect(scenarios).toHaveLength(names.length);
  });
});
