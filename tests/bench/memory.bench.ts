import { setTimeout as wait } from "node:timers/promises";
import { startStack } from "#tests/service/stack.ts";
import { LoadGenerator } from "./load/load.ts";
import { type ProcessGroup, ServiceProcesses } from "./load/process-costs.ts";
import { planSharpening } from "./load/small-jobs.ts";
import { type BenchRow, makeRow, percentile } from "./report/rows.ts";

const few = 100;
const many = 1000;

/** Whether the memory of the services grows with the number of jobs. */
export default {
  title: "memory",
  async run(): Promise<BenchRow[]> {
    const stack = await startStack();
    const generator = await LoadGenerator.start();
    const processes = new ServiceProcesses(stack.dataDir);
    try {
      const sharpen = { ...(await planSharpening(stack, 640, 480)), clients: 4 };
      await generator.send({ ...sharpen, requests: few });
      const start = await readSettled();
      await generator.send({ ...sharpen, requests: many - few });
      const end = await readSettled();
      const rows = (side: string, group: ProcessGroup) => [
        makeRow(`memory after ${few} image jobs`, side, "MB", start[group] / 1e6),
        makeRow(`memory after ${many} image jobs`, side, "MB", end[group] / 1e6),
      ];
      const growth = end.runner / start.runner;
      return [
        ...rows("runner", "runner"),
        makeRow(`after ${many} jobs ÷ after ${few}`, "runner", "×", growth, {
          target: { max: 1.1 },
        }),
        ...rows("web", "web"),
        ...rows("engine processes", "engines"),
      ];
    } finally {
      await generator.stop();
      await stack.stop();
    }

    /** The median of several readings after the last job: a garbage collection may be due. */
    async function readSettled(): Promise<Record<ProcessGroup, number>> {
      const readings: Record<ProcessGroup, number>[] = [];
      for (let count = 0; count < 5; count++) {
        await wait(1000);
        readings.push({ ...processes.readMemory() });
      }
      const median = (group: ProcessGroup) =>
        percentile(
          readings.map((memory) => memory[group]),
          0.5,
        );
      return {
        web: median("web"),
        runner: median("runner"),
        engines: median("engines"),
        webhooks: median("webhooks"),
        postgres: median("postgres"),
      };
    }
  },
};
