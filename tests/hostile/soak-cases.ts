import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { BadCase } from "./check-bad-input.ts";

/** Long runs of the catalogue of bad inputs: one case after the other, and what came of them. */

const folder = mkdtempSync(join(tmpdir(), "mediamill-soak-"));
// Before anything is loaded that reads it.
Object.assign(process.env, { DATA_DIR: folder, LOG_LEVEL: "fatal" });
const { buildBadInput } = await import("./bad-input.ts");
const { lastingProcesses } = await import("./engine-processes.ts");
const { holdCase, holdGoodJob } = await import("./check-bad-input.ts");
const { closeEngines } = await import("#lib/engines/index.ts");

/** Where files that something did not hold for are kept. */
const kept = join(tmpdir(), "mediamill-found");

const say = (text: string) => process.stdout.write(`${text}\n`);

/** How many cases came to each end, by operation. */
const ends = new Map<string, Map<string, number>>();
let [failures, slowestMs] = [0, 0];

function count(operation: string, end: string): void {
  const own = ends.get(operation) ?? new Map<string, number>();
  own.set(end, (own.get(end) ?? 0) + 1);
  ends.set(operation, own);
}

/** Holds each case, and then that its operation goes on with a good file. `tells` has each case printed. */
export async function soakCases(cases: readonly BadCase[], tells = false): Promise<void> {
  for (const one of cases) {
    const { id, operation } = one;
    const startedAt = performance.now();
    try {
      const end = await holdCase(one);
      count(operation.id, end);
      const tookMs = performance.now() - startedAt;
      slowestMs = Math.max(slowestMs, tookMs);
      if (tells) say(`${operation.id}, ${id}: ${end} (${(tookMs / 1000).toFixed(1)} s)`);
    } catch (error) {
      await tellFailure(one, error);
    }
  }
  for (const operation of new Set(cases.map((one) => one.operation))) {
    await holdGoodJob(operation).catch((error: unknown) => {
      failures++;
      say(`${operation.id} BROKEN for good files: ${tell(error)}`);
    });
  }
}

async function tellFailure({ id, operation, row }: BadCase, error: unknown): Promise<void> {
  failures++;
  count(operation.id, "BROKEN");
  say(`${operation.id}, ${id}: BROKEN: ${tell(error)}`);
  const { path } = await buildBadInput(row);
  mkdirSync(kept, { recursive: true });
  const copy = join(kept, `${failures}-${basename(path)}`);
  copyFileSync(path, copy);
  say(`  its file is kept as ${copy}`);
}

function tell(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.stack}\n  caused by ${tell(error.cause)}` : `${error.stack}`;
}

/** Ends the engines, prints the totals, and ends this program: with 1 where something did not hold. */
export async function endSoak(): Promise<never> {
  await closeEngines();
  const left = await lastingProcesses(folder);
  for (const command of left) say(`left running: ${command}`);
  for (const [operation, own] of ends) {
    say(`${operation}: ${[...own].map(([end, times]) => `${times} ${end}`).join(", ")}`);
  }
  const total = [...ends.values()].flatMap((own) => [...own.values()]).reduce((a, b) => a + b, 0);
  say(`${total} cases, ${failures} failures; the slowest took ${(slowestMs / 1000).toFixed(1)} s`);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(failures + left.length === 0 ? 0 : 1);
}
