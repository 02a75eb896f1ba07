import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runForTenant, sharedTenant } from "#lib/engines/warm/tenant.ts";
import type { Operation } from "#lib/operations/define.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { type Input, runHere } from "./engines/run-here.ts";
import { type BenchRow, makeRow, timed } from "./report/rows.ts";

/** Jobs on PDFs of three pages, where starts of processes would take longer than the work. */

const rounds = 40;
const concurrency = 4;

async function loadCases(file: Input): Promise<[Operation, Input[], Record<string, unknown>][]> {
  const [{ mergePdf }, { splitPdf }, { rotatePdf }] = await Promise.all([
    import("#lib/operations/document/merge-pdf/index.ts"),
    import("#lib/operations/document/split-pdf/index.ts"),
    import("#lib/operations/document/rotate-pdf/index.ts"),
  ]);
  return [
    [mergePdf, [file, file], {}],
    [splitPdf, [file], { every: 1 }],
    [rotatePdf, [file], { angle: 90 }],
  ];
}

/** Each job alone, and four at a time: the time of all four by their number. */
async function measure(file: Input): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [operation, inputs, params] of await loadCases(file)) {
    const run = () => runForTenant(sharedTenant, () => runHere(operation, inputs, params));
    const runAll = () => Promise.all(Array.from({ length: concurrency }, run));
    const alone: number[] = [];
    const together: number[] = [];
    for (let round = -3; round < rounds; round++) {
      const one = await timed(run);
      const all = await timed(runAll);
      if (round < 0) continue;
      alone.push(one.value);
      together.push(all.value / concurrency);
    }
    rows.push(makeRow(`${operation.id}, 3 pages`, "alone", "ms", alone));
    rows.push(makeRow(`${operation.id}, 3 pages`, "4 at a time", "ms per job", together));
  }
  return rows;
}

export default {
  title: "short PDFs",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-short-pdfs-"));
    process.env.DATA_DIR = join(folder, "data");
    process.env.LOG_LEVEL = "warn";
    try {
      const { closeEngines, warmUpEngines } = await import("#lib/engines/index.ts");
      await warmUpEngines();
      const path = join(folder, "input.pdf");
      await writeFile(path, makeRichPdf({ pages: 3 }));
      const rows = await measure({ path, type: "pdf" });
      await closeEngines();
      return rows;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
