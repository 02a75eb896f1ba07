import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { fastStart } from "#lib/setup/node24.mjs";
import { InngestServer } from "#tests/servers/inngest/server.ts";
import { computeMedian } from "./measure/measure.ts";
import type { QueueFigures } from "./queues/queue-figures.ts";
import { measureServices, type ServiceFigures } from "./queues/service-queues.ts";
import { type BenchRow, makeRow, type Target } from "./report/rows.ts";

const { INNGEST_BASE_URL, INNGEST_EVENT_KEY = "", INNGEST_SIGNING_KEY = "" } = process.env;
/** The URL of a real server; undefined without one. */
const serverOfOperator = INNGEST_BASE_URL
  ? { INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY }
  : undefined;

async function startServer(): Promise<InngestServer> {
  const server = await InngestServer.start();
  server.executor.eventDelayMs = 150;
  return server;
}

const program = join(import.meta.dirname, "queues/queue-figures.ts");

async function measure(queue: "embedded" | "inngest"): Promise<QueueFigures> {
  const { stdout } = await promisify(execFile)(process.execPath, [...fastStart, program, queue]);
  // The program prints one JSON value.
  return JSON.parse(stdout) as QueueFigures;
}

/**
 * Compares the embedded queue with Inngest, on one media runner with two slots, and on the whole service. The Inngest server is
 * the one of the tests, with the delay of the real server's event stream. The real one also needs
 * processor time of its own, so its figures are worse. To measure one, set `INNGEST_BASE_URL` and its keys.
 */
export default {
  title: "Inngest",
  async run(): Promise<BenchRow[]> {
    const sides = { embedded: await measure("embedded"), inngest: await measure("inngest") };
    const rows = (row: string, name: keyof QueueFigures, unit: string, target?: Target) => [
      makeRow(row, "embedded queue", unit, sides.embedded[name]),
      makeRow(row, "Inngest", unit, sides.inngest[name], target ? { target } : {}),
    ];
    const services = await measureServices(serverOfOperator ?? (await startServer()).variables);
    const { embedded, inngest } = services;
    const rates = (figures: ServiceFigures) => computeMedian(figures.jobsPerSecond);
    const ratio = sides.inngest.jobsPerSecond / sides.embedded.jobsPerSecond;
    return [
      makeRow("image/sharpen over HTTP, 8 senders", "embedded queue", "jobs/s", rates(embedded)),
      makeRow("image/sharpen over HTTP, 8 senders", "Inngest", "jobs/s", rates(inngest)),
      makeRow(
        "image/sharpen over HTTP, 8 senders",
        "ratio",
        "×",
        rates(inngest) / rates(embedded),
        {
          target: { min: 0.8 },
        },
      ),
      makeRow("longest of 200 such starts", "embedded queue", "ms", Math.max(...embedded.startsMs)),
      makeRow("longest of 200 such starts", "Inngest", "ms", Math.max(...inngest.startsMs), {
        target: { max: 1000 },
      }),
      ...rows("small jobs, two slots", "jobsPerSecond", "jobs/s"),
      makeRow("small jobs, two slots", "ratio", "×", ratio, { target: { min: 0.8 } }),
      ...rows("small jobs of 8 senders", "sendersJobsPerSecond", "jobs/s"),
      ...rows("accept to start, idle", "startMs", "ms", { max: 250 }),
      ...rows("longest of 200 starts", "longestStartMs", "ms", { max: 1000 }),
      ...rows("the same next to a backlog at its limit", "startNextToLimitMs", "ms", { max: 500 }),
      ...rows("first of 4 jobs behind 20 of another account", "firstTurnInJobLengths", "jobs", {
        max: 2,
      }),
      ...rows("last of these 4 jobs", "lastTurnInJobLengths", "jobs"),
    ];
  },
};
