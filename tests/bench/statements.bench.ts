import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { LoadGenerator } from "./load/load.ts";
import { planInspection } from "./load/small-jobs.ts";
import { startCountedStack } from "./load/statement-counts.ts";
import { type BenchRow, makeRow } from "./report/rows.ts";

/** What the service asks of PostgreSQL: for a job, with nothing to do, and after a burst of jobs. */
export default {
  title: "PostgreSQL",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
    const counted = await startCountedStack(folder);
    const generator = await LoadGenerator.start();
    try {
      const inspect = await planInspection(counted.stack);
      await generator.send({ ...inspect, clients: 1, requests: 20 });
      const perJob = await counted.countPerJob(50, () =>
        generator.send({ ...inspect, clients: 1, requests: 50 }),
      );
      const idle = await countPerSecond(30);
      await generator.send({ ...inspect, clients: 8, requests: 230 });
      const afterBurst = await countPerSecond(10);
      return [
        makeRow("a small job", "service", "transactions", perJob.transactions, {
          target: { max: 6 },
        }),
        makeRow("a small job", "service", "row updates", perJob.updates, { target: { max: 6 } }),
        makeRow("nothing to do, for 30 seconds", "service", "transactions/s", idle, {
          target: { max: 1 },
        }),
        makeRow("ten seconds after 230 small jobs", "service", "transactions/s", afterBurst, {
          target: { max: 1 },
        }),
      ];
    } finally {
      await generator.stop();
      await counted.stop();
      await rm(folder, { recursive: true, force: true });
    }

    async function countPerSecond(seconds: number): Promise<number> {
      const start = counted.proxy.transactions;
      await wait(seconds * 1000);
      return (counted.proxy.transactions - start) / seconds;
    }
  },
};
