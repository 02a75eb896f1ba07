import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { makeAudio } from "#tests/samples/audio.ts";
import { makeDocx } from "#tests/samples/office/word.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { startStack } from "#tests/service/stack.ts";
import { LoadGenerator, type LoadPlan } from "./load/load.ts";
import { type ProcessGroup, ServiceProcesses } from "./load/process-costs.ts";
import { uploadAndWait } from "./load/requests.ts";
import { makeNoise, planInspection, planSharpening } from "./load/small-jobs.ts";
import { type BenchRow, makeRow, percentile } from "./report/rows.ts";

const few = 500;
const many = Number(process.env.MIXED_JOBS ?? 10_000);
/** Jobs of an operation that follow one another before those of the next one. */
const jobsInTurn = 20;

/** Whether memory grows with the number of jobs of all kinds of engines. `MIXED_JOBS` reduces them. */
export default {
  title: "memory",
  async run(): Promise<BenchRow[]> {
    const stack = await startStack();
    const generator = await LoadGenerator.start();
    const processes = new ServiceProcesses(stack.dataDir);
    try {
      const plans = await planMixedJobs(stack);
      await sendInTurns(plans, few);
      const start = await readSettled();
      await sendInTurns(plans, many - few);
      const end = await readSettled();
      const groups = ["web", "runner", "engines"] as const;
      return [
        ...groups.flatMap((group) => [
          makeRow(`memory after ${few} mixed jobs`, group, "MB", start[group] / 1e6),
          makeRow(`memory after ${many} mixed jobs`, group, "MB", end[group] / 1e6),
        ]),
        ...groups.map((group) =>
          makeRow(`after ${many} jobs ÷ after ${few}`, group, "×", end[group] / start[group], {
            target: { max: 1.1 },
          }),
        ),
      ];
    } finally {
      await generator.stop();
      await stack.stop();
    }

    async function sendInTurns(plans: readonly Omit<LoadPlan, "clients">[], jobs: number) {
      for (let left = jobs; left > 0; ) {
        for (const plan of plans) {
          const requests = Math.min(jobsInTurn, left);
          if (requests > 0) await generator.send({ ...plan, clients: 4, requests });
          left -= requests;
        }
      }
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

/** Small jobs of each kind of engine. */
async function planMixedJobs(service: { readonly url: string; readonly apiKey: string }) {
  const paragraphs = Array.from({ length: 20 }, (_, index) => `Paragraph ${index} of the report.`);
  const plan = (operation: string, name: string, bytes: Uint8Array | string, fields = {}) =>
    uploadAndWait(service, operation, { name, bytes: Buffer.from(bytes) }, fields);
  return [
    await planInspection(service),
    await planSharpening(service, 640, 480),
    plan("document/rotate-pdf", "a.pdf", makeRichPdf({ pages: 3 }), { angle: "90" }),
    plan("document/html-to-pdf", "a.html", "<h1>Invoice</h1><p>Thank you."),
    plan("document/doc-to-pdf", "a.docx", makeDocx(paragraphs)),
    plan("audio/trim", "a.wav", readFileSync(makeAudio("wav").path), { start: "0.2", end: "1" }),
    plan("image/convert", "a.png", await makeNoise(320, 240).png().toBuffer(), { format: "webp" }),
  ];
}
