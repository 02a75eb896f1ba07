import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { type Stack, startStack } from "#tests/service/stack.ts";
import { DatabaseProxy } from "./database-proxy.ts";

/** A service whose transactions are counted. */
export interface CountedStack {
  readonly stack: Stack;
  readonly proxy: DatabaseProxy;
  /** Per job, without what an idle service does in the same time. `runJobs` runs `jobs` jobs. */
  countPerJob(jobs: number, runJobs: () => Promise<unknown>): Promise<JobCounts>;
  stop(): Promise<void>;
}

export interface JobCounts {
  readonly transactions: number;
  /** Updated rows, without the totals of metrics: their number depends on the time, not on jobs. */
  readonly updates: number;
  /** Transactions per second with nothing to do. */
  readonly idleTransactions: number;
  /** The time of one job. Some transactions are as many per second: the log of requests, leases that are renewed. */
  readonly seconds: number;
}

/** PostgreSQL's sessions report their counts at the latest after 10 seconds without a statement. */
const reportDelayMs = 10_500;

/**
 * Starts a service with a database of its own in `folder`, through a proxy that counts transactions. `variables`:
 * settings of the service.
 */
export async function startCountedStack(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<CountedStack> {
  const database = await startDatabase(folder);
  // The services notice by themselves that this process has ended; the database does not.
  const stopWithProcess = () => process.kill(database.pid, "SIGINT");
  process.once("exit", stopWithProcess);
  const proxy = await DatabaseProxy.start(database.url);
  const sql = postgres(database.url, { max: 1 });
  const stack = await startStack({ ...variables, DATABASE_URL: proxy.url });

  async function readUpdates(): Promise<number> {
    const [row] = await sql<{ updates: string }[]>`
      select sum(n_tup_upd) as updates from pg_stat_user_tables where relname <> 'metric_totals'`;
    return Number(row?.updates);
  }

  return {
    stack,
    proxy,
    async countPerJob(jobs, runJobs) {
      await wait(reportDelayMs);
      const idleStart = { transactions: proxy.transactions, updates: await readUpdates() };
      await wait(reportDelayMs);
      const start = { transactions: proxy.transactions, updates: await readUpdates() };
      const startedAt = performance.now();
      await runJobs();
      const seconds = (performance.now() - startedAt) / 1000;
      await wait(200);
      const transactions = proxy.transactions - start.transactions;
      const shareOfIdle = (performance.now() - startedAt) / reportDelayMs;
      await wait(reportDelayMs);
      const updates = (await readUpdates()) - start.updates;
      const idle = {
        transactions: start.transactions - idleStart.transactions,
        updates: start.updates - idleStart.updates,
      };
      return {
        transactions: (transactions - idle.transactions * shareOfIdle) / jobs,
        updates: (updates - idle.updates * (shareOfIdle + 1)) / jobs,
        idleTransactions: idle.transactions / (reportDelayMs / 1000),
        seconds: seconds / jobs,
      };
    },
    async stop() {
      await stack.stop();
      await sql.end();
      await proxy.stop();
      await database.stop();
      process.off("exit", stopWithProcess);
    },
  };
}
