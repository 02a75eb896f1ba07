import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { startStack } from "#tests/service/stack.ts";
import { readProportionalMemory } from "./measure/proportional-memory.ts";
import { type BenchRow, makeRow, timed } from "./report/rows.ts";

const samples = join(import.meta.dirname, "../../public/samples/inputs");

const idleMinutes = 10;

/** Operations with the engines that stay warm, and a sample for each. */
const jobs = [
  { operation: "image/sharpen", sample: "photo.jpg" },
  { operation: "document/html-to-pdf", sample: "invoice.html" },
  { operation: "document/doc-to-pdf", sample: "report.docx" },
  { operation: "pipeline/strip-metadata", sample: "photo.jpg" },
] as const;

/** How much memory the whole service has: after its start, after work, and when no one has used it for a while. */
export default {
  title: "footprint",
  async run(): Promise<BenchRow[]> {
    const stack = await startStack({ STATUS_CHECKS: "on" });
    const client = new ApiClient(stack.url, stack.apiKey);
    const runJob = async ({ operation, sample }: (typeof jobs)[number]) => {
      const bytes = await readFile(join(samples, sample));
      const { status } = await client.run(operation, { filename: sample, bytes });
      if (status !== "completed") throw new Error(`${operation}: ${status}`);
    };
    const read = () => readProportionalMemory(stack.process.pid ?? 0);
    const total = (memory: ReadonlyMap<string, number>) =>
      [...memory.values()].reduce((sum, bytes) => sum + bytes, 0) / 1e6;
    const idle = () => wait(idleMinutes * 60_000);
    try {
      await wait(30_000);
      const started = total(read());
      await idle();
      const neverUsed = total(read());
      const first: BenchRow[] = [];
      for (const job of jobs) {
        const cold = await timed(() => runJob(job));
        const warm = await timed(() => runJob(job));
        const row = `${job.operation} when idle for ${idleMinutes} minutes, and again`;
        const waited = cold.value - warm.value;
        first.push(makeRow(row, "first", "ms", cold.value));
        first.push(makeRow(row, "second", "ms", warm.value));
        first.push(makeRow(row, "difference", "ms", waited, { target: { max: 1000 } }));
      }
      for (let round = 0; round < 20; round++) await Promise.all(jobs.map(runJob));
      const worked = total(read());
      await idle();
      const after = read();
      const row = (when: string, megabytes: number, target = {}) =>
        makeRow(`memory of all processes ${when}`, "service", "MB", megabytes, target);
      const target = { target: { max: 700 } };
      return [
        row("half a minute after the start", started),
        row(`when idle for ${idleMinutes} minutes`, neverUsed, target),
        row(`after ${20 * jobs.length} jobs`, worked),
        row(`when idle for ${idleMinutes} minutes after them`, total(after), target),
        ...[...after].map(([name, bytes]) =>
          makeRow(`of these ${Math.round(total(after))} MB`, name, "MB", bytes / 1e6),
        ),
        ...first,
      ];
    } finally {
      await stack.stop();
    }
  },
};
