import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { startStack } from "#tests/service/stack.ts";
import { LoadGenerator, type LoadPlan } from "./load/load.ts";
import {
  type CpuTimes,
  cpuBetween,
  type ProcessGroup,
  ServiceProcesses,
} from "./load/process-costs.ts";
import { planInspection, planSharpening } from "./load/small-jobs.ts";
import { type BenchRow, makeRow } from "./report/rows.ts";

/** What a small job costs and how long it takes, alone and with other clients. */
export default {
  title: "small jobs",
  async run(): Promise<BenchRow[]> {
    const stack = await startStack();
    const generator = await LoadGenerator.start();
    const sql = postgres((await findRunningDatabase(stack.dataDir)) ?? "", { max: 1 });
    const processes = new ServiceProcesses(stack.dataDir);
    try {
      const inspect = await planInspection(stack);
      // Compiles the code and starts the warm engines of every slot.
      await generator.send({ ...inspect, clients: 4, requests: 200 });
      const alone = await measureAlone({ ...inspect, clients: 1, requests: 60 });
      const busy = [
        await measureRate("pipeline/file-inspect, 64×64 PNG", { ...inspect, requests: 100 }),
        await measureRate("image/sharpen, 640×480 JPEG", {
          ...(await planSharpening(stack, 640, 480)),
          requests: 100,
        }),
      ];
      return [...alone, ...busy];
    } finally {
      await generator.stop();
      await sql.end();
      await stack.stop();
    }

    async function measureAlone(plan: LoadPlan): Promise<BenchRow[]> {
      const rounds: CpuTimes[] = [];
      const latencies = [];
      await sql`create table bench_start as select now() as at`;
      for (let round = 0; round < 5; round++) {
        const start = processes.readCpu();
        const { latenciesMs } = await generator.send(plan);
        await wait(300); // What a job leaves to do after its response.
        rounds.push(cpuBetween(start, processes.readCpu(), latenciesMs.length));
        latencies.push(...latenciesMs);
      }
      const starts = await sql<{ ms: number }[]>`
        select extract(epoch from started_at - created_at)::float * 1000 as ms
        from jobs, bench_start where created_at > bench_start.at and started_at is not null`;
      const cpuRow = (side: string, groups: readonly ProcessGroup[], details = {}) => {
        const values = rounds.map((cpu) => groups.reduce((sum, group) => sum + cpu[group], 0));
        return makeRow("CPU time of a small job", side, "ms", values, details);
      };
      return [
        cpuRow("web + runner + PostgreSQL", ["web", "runner", "postgres"], { target: { max: 15 } }),
        cpuRow("web", ["web"]),
        cpuRow("runner", ["runner"]),
        cpuRow("PostgreSQL", ["postgres"]),
        cpuRow("engine processes", ["engines"]),
        makeRow("whole request of a small job", "service", "ms", latencies, {
          target: { max: 20 },
        }),
        makeRow(
          "from acceptance to start",
          "service",
          "ms",
          starts.map(({ ms }) => ms),
          { target: { max: 6 } },
        ),
      ];
    }

    /** Jobs per second with eight clients, in rounds of `plan`. */
    async function measureRate(name: string, plan: Omit<LoadPlan, "clients">): Promise<BenchRow> {
      await generator.send({ ...plan, clients: 8, requests: 50 });
      const rates = [];
      const start = processes.readCpu();
      for (let round = 0; round < 3; round++) {
        const { seconds, latenciesMs } = await generator.send({ ...plan, clients: 8 });
        rates.push(latenciesMs.length / seconds);
      }
      const cpu = Object.values(cpuBetween(start, processes.readCpu(), 1000));
      return makeRow(`${name}, 8 clients`, "service", "jobs/s", rates, {
        cpu: cpu.reduce((sum, seconds) => sum + seconds),
        memory: processes.readMemory().runner,
        target: { min: 80 },
      });
    }
  },
};
