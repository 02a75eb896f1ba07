import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { startFileServer } from "#tests/servers/files.ts";
import { startStack } from "#tests/service/stack.ts";
import { startBareNext } from "./bare-next/start.ts";
import { LoadGenerator, type LoadPlan } from "./load/load.ts";
import { readCpuMs, ServiceProcesses } from "./load/process-costs.ts";
import { createFromUrl } from "./load/requests.ts";
import { type BenchRow, makeRow, measureInTurns } from "./report/rows.ts";
import { measureRequestLog } from "./request-log/measure.ts";

/** What a request costs in the web process, next to an empty route of Next.js, and how many jobs it accepts. */
export default {
  title: "requests",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
    const { server, port } = await startFileServer(folder);
    const bareNext = await startBareNext();
    const stack = await startStack({ FETCH_ALLOW: `127.0.0.1:${port}` });
    const generator = await LoadGenerator.start();
    const processes = new ServiceProcesses(stack.dataDir);
    try {
      const log = await measureRequestLog((await findRunningDatabase(stack.dataDir)) ?? "");
      return [...(await measureCpu()), log, ...(await measureAcceptance())];
    } finally {
      await generator.stop();
      await stack.stop();
      await bareNext.stop();
      server.close();
      await rm(folder, { recursive: true, force: true });
    }

    async function measureCpu(): Promise<BenchRow[]> {
      const web = processes.pidOf("web");
      const key = { "x-api-key": stack.apiKey };
      const sides = {
        healthz: costOf(web, { url: `${stack.url}/healthz` }),
        usage: costOf(web, { url: `${stack.url}/v1/usage`, headers: key }),
        bare: costOf(bareNext.pid, { url: `${bareNext.url}/healthz` }),
      };
      const { healthz, usage, bare } = await measureInTurns(sides, { rounds: 5, warmUps: 2 });
      const row = (name: string, side: string, { values, cpu }: typeof bare, max?: number) =>
        makeRow(name, side, "ms CPU", values, {
          cpu,
          ...(max !== undefined && { target: { max } }),
        });
      return [
        row("GET /healthz", "web", healthz, 0.8),
        row("GET /v1/usage", "web", usage, 1.2),
        row("GET of an empty route", "bare Next.js", bare),
      ];
    }

    /** A round of a side: the CPU time of the process `pid` per request. */
    function costOf(pid: number, plan: Pick<LoadPlan, "url" | "headers">) {
      return async () => {
        const start = readCpuMs(pid);
        const requests = 800;
        await generator.send({ ...plan, status: 200, clients: 4, requests });
        const cpuMs = readCpuMs(pid) - start;
        return { value: cpuMs / requests, cpuSeconds: cpuMs / 1000 };
      };
    }

    /** JSON with a URL, 20 clients. The runner is paused, so that only acceptance is measured. */
    async function measureAcceptance(): Promise<BenchRow[]> {
      const sql = postgres((await findRunningDatabase(stack.dataDir)) ?? "", { max: 1 });
      const url = `http://127.0.0.1:${port}/input.png`;
      const plan = { ...createFromUrl(stack, "pipeline/file-inspect", url), clients: 20 };
      /** Each round on its own: the service replaces a runner that does not respond for 15 s. */
      const send = async (load: Pick<LoadPlan, "requests" | "seconds">) => {
        const runner = processes.pidOf("media");
        process.kill(runner, "SIGSTOP");
        try {
          return await generator.send({ ...plan, ...load });
        } finally {
          await sql`delete from jobs where status = 'pending'`;
          process.kill(runner, "SIGCONT");
          await wait(2500);
        }
      };
      try {
        await send({ requests: 500 });
        const rates = [];
        const latencies = [];
        const web = processes.readCpu();
        for (let round = 0; round < 5; round++) {
          const { seconds, latenciesMs } = await send({ seconds: 3 });
          rates.push(latenciesMs.length / seconds);
          latencies.push(...latenciesMs);
        }
        const end = processes.readCpu();
        const cpu = (end.web - web.web + end.postgres - web.postgres) / 1000;
        return [
          makeRow("jobs accepted, JSON with a URL, 20 clients", "service", "jobs/s", rates, {
            target: { min: 250 },
            cpu,
          }),
          makeRow("the same, time of a response", "service", "ms", latencies, {
            target: { max: 120, of: "p99" },
          }),
        ];
      } finally {
        await sql.end();
      }
    }
  },
};
