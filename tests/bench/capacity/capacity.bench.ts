import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { createAccount } from "#lib/auth/accounts.ts";
import { db, disconnect } from "#lib/db/client.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { fastStart } from "#lib/setup/node24.mjs";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { analyzeTables, grow } from "#tests/service/database/growth.ts";
import { groupCpuMs, readCpuMs } from "../load/process-costs.ts";
import { type BenchRow, makeRow, percentile } from "../report/rows.ts";
import type { SentJobs } from "./send-jobs.ts";

/**
 * What one PostgreSQL carries: 1, 8 and 64 media runners whose engines do nothing and 20 clients, with few and with
 * many rows of history. The clients call what accepts a job without HTTP. Everything shares the cores of this machine,
 * so compare CPU time of a job rather than rates. `ENDED_JOBS` reduces the rows of history; each job has ten deliveries.
 */

const runnerCounts = [1, 8, 64];
const runnersOfProcess = 16;
const clients = 20;
const seconds = 15;
const endedJobs = Number(process.env.ENDED_JOBS ?? 900_000);
const fewJobs = 1000;
const deliveriesPerJob = 10;
/** Rows are inserted in parts, so that no statement has all of them in memory. */
const partJobs = 50_000;

export default {
  title: "capacity",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
    const database = await startDatabase(folder);
    try {
      await migrateDatabase(database.url);
      // The environment was read before the database had a URL.
      Object.assign(env, { DATABASE_URL: database.url, DATA_DIR: folder });
      log.level = "warn";
      const accounts = await makeAccounts();
      const ids = accounts.map(({ id }) => id);
      const rows: BenchRow[] = [];
      let inserted = 0;
      for (const ended of [fewJobs, endedJobs]) {
        while (inserted < ended) {
          const part = Math.min(partJobs, ended - inserted);
          await grow({ accounts: ids, ended: part, deliveriesPerJob, waiting: 0 });
          inserted += part;
        }
        await analyzeTables();
        const history = `${(ended * (1 + deliveriesPerJob)).toLocaleString("en")} rows of history`;
        for (const count of runnerCounts) {
          const measured = await measure(count, accounts, database);
          rows.push(
            ...toRows(`${count === 1 ? "1 runner" : `${count} runners`}, ${history}`, measured),
          );
        }
      }
      return rows;
    } finally {
      await disconnect();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Measured extends SentJobs {
  readonly databaseCpuMs: number;
  readonly runnersCpuMs: number;
  readonly clientsCpuMs: number;
  readonly transactions: number;
}

async function measure(
  count: number,
  accounts: readonly Account[],
  { url, pid }: { readonly url: string; readonly pid: number },
): Promise<Measured> {
  const runners = await startRunners(count, url);
  try {
    // It opens the storage, whose folder is known now.
    const { sendJobs } = await import("./send-jobs.ts");
    await sendJobs(accounts, 3); // warms up, not measured
    const start = await readCosts(pid, runners);
    const sent = await sendJobs(accounts, seconds);
    const end = await readCosts(pid, runners);
    const of = (name: keyof typeof end) => end[name] - start[name];
    return {
      ...sent,
      databaseCpuMs: of("database"),
      runnersCpuMs: of("runners"),
      clientsCpuMs: of("clients"),
      transactions: of("transactions"),
    };
  } finally {
    for (const runner of runners) runner.kill("SIGTERM");
    await Promise.all(runners.map((runner) => runner.exitCode ?? once(runner, "exit")));
  }
}

async function startRunners(count: number, url: string): Promise<ChildProcess[]> {
  const program = join(import.meta.dirname, "simulated-runners.ts");
  const started: ChildProcess[] = [];
  for (let left = count; left > 0; left -= runnersOfProcess) {
    const numbers = [Math.min(left, runnersOfProcess), count - left, count];
    const args = [...fastStart, program, ...numbers.map(String)];
    const variables = { DATABASE_URL: url, DATA_DIR: env.DATA_DIR, LOG_LEVEL: "warn" };
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...variables, SECRET: env.SECRET, MEDIA_CONCURRENCY: "2" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    started.push(child);
    await once(child.stdout, "data");
  }
  return started;
}

async function readCosts(pid: number, runners: readonly ChildProcess[]) {
  // PostgreSQL's sessions report their counts after a second.
  await wait(1500);
  const [row] = await db().execute<{ count: string }>(
    sql`select xact_commit as count from pg_stat_database where datname = current_database()`,
  );
  return {
    database: groupCpuMs(pid),
    runners: runners.reduce((sum, { pid: one }) => sum + (one ? readCpuMs(one) : 0), 0),
    clients: readCpuMs(process.pid),
    transactions: Number(row?.count),
  };
}

function toRows(row: string, measured: Measured): BenchRow[] {
  const { jobs, acceptMs, startMs } = measured;
  const perJob = (value: number) => value / jobs;
  return [
    makeRow(row, "all", "jobs/s", jobs / measured.seconds),
    makeRow(row, "PostgreSQL", "ms of CPU a job", perJob(measured.databaseCpuMs)),
    makeRow(row, "runners", "ms of CPU a job", perJob(measured.runnersCpuMs)),
    makeRow(row, "clients", "ms of CPU a job", perJob(measured.clientsCpuMs)),
    makeRow(row, "PostgreSQL", "transactions a job", perJob(measured.transactions)),
    makeRow(row, "acceptance, p99", "ms", percentile(acceptMs, 0.99)),
    makeRow(row, "from acceptance to start, p99", "ms", percentile(startMs, 0.99)),
  ];
}

async function makeAccounts(): Promise<Account[]> {
  const accounts: Account[] = [];
  for (let index = 0; index < clients; index++) {
    const account = await createAccount({
      email: `capacity-${index}@example.com`,
      plan: "enterprise",
    });
    if (!account) throw new Error("the account was not created");
    accounts.push(account);
  }
  return accounts;
}
