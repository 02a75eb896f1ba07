import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "#lib/auth/accounts.ts";
import { disconnect } from "#lib/db/client.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { takeUnclaimedJobs } from "#lib/db/queries/jobs/enqueueing.ts";
import { countWaitingJobs } from "#lib/db/queries/jobs/queue-state.ts";
import { env } from "#lib/env.ts";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { type Explained, openExplained } from "#tests/service/database/explain.ts";
import { analyzeTables, grow, hotQueries } from "#tests/service/database/growth.ts";
import { computeMedian, reportedRows } from "./measure/measure.ts";
import { makeRow } from "./report/rows.ts";

/**
 * The statements of every job, in tables that are nearly empty, with a million ended jobs and ten million
 * deliveries, and with a queue of 100,000 waiting jobs as well. `ENDED_JOBS` reduces the rows.
 */

const endedJobs = Number(process.env.ENDED_JOBS ?? 1_000_000);
const waitingJobs = endedJobs / 10;
const deliveriesPerJob = 10;
const rounds = 20;
/** Rows are inserted in parts, so that no statement has all of them in memory. */
const partJobs = 50_000;

const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
const database = await startDatabase(folder);
await migrateDatabase(database.url);
// The environment was read before the database had a URL.
Object.assign(env, { DATABASE_URL: database.url });
const explained = openExplained(database.url);

interface Cost {
  readonly ms: number;
  readonly blocks: number;
}

try {
  const accounts = await makeAccounts(100);
  const queries = {
    ...hotQueries(accounts[0] ?? ""),
    "count the waiting jobs": countWaitingJobs,
    "list jobs to enqueue again": (tx: Parameters<typeof countWaitingJobs>[0]) =>
      takeUnclaimedJobs(tx, { notEnqueuedSeconds: 5, unclaimedSeconds: 120 }),
  };
  const measureAll = async () => {
    await analyzeTables();
    const costs: Record<string, Cost> = {};
    for (const [name, query] of Object.entries(queries)) {
      const results: Explained[] = [];
      for (let round = -2; round < rounds; round++) {
        const result = await explained.explain(query);
        if (round >= 0) results.push(result);
      }
      const medianOf = (value: (result: Explained) => number) => computeMedian(results.map(value));
      costs[name] = { ms: medianOf(({ ms }) => ms), blocks: medianOf(({ blocks }) => blocks) };
    }
    return costs;
  };
  await grow({ accounts, ended: 200, deliveriesPerJob, waiting: 100 });
  const empty = await measureAll();
  const startedAt = performance.now();
  for (let done = 0; done < endedJobs; done += partJobs) {
    const ended = Math.min(partJobs, endedJobs - done);
    await grow({ accounts, ended, deliveriesPerJob, waiting: 0 });
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(
    `${endedJobs} jobs and ${endedJobs * deliveriesPerJob} deliveries inserted in ${seconds} s\n\n`,
  );
  const full = await measureAll();
  await grow({ accounts, ended: 0, deliveriesPerJob: 0, waiting: waitingJobs });
  const queued = await measureAll();
  await grow({ accounts: await makeAccounts(1000), ended: 0, deliveriesPerJob: 0, waiting: 1000 });
  const manyAccounts = await measureAll();

  const states = {
    "nearly empty tables": empty,
    "ended jobs": full,
    "and a queue": queued,
    "and 1000 more accounts wait": manyAccounts,
  };
  for (const name of Object.keys(queries)) {
    for (const [state, costs] of Object.entries(states)) {
      const { ms = 0, blocks = 0 } = costs[name] ?? {};
      reportedRows.push(makeRow(name, state, "ms", ms), makeRow(name, state, "blocks", blocks));
    }
  }
} finally {
  await explained.close();
  await disconnect();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}

async function makeAccounts(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const email = `growth-${count}-${index}@example.com`;
    const account = await createAccount({ email, plan: "pro" });
    if (!account) throw new Error("the account was not created");
    ids.push(account.id);
  }
  return ids;
}
