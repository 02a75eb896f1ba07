import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { BadCase } from "./check-bad-input.ts";

/** Soak runs of the catalogue of bad inputs: runs the cases one after another and prints their outcomes. */

const folder = mkdtempSync(join(tmpdir(), "mediamill-soak-"));
// Before the import of modules that read the environment.
Object.assign(process.env, { DATA_DIR: folder, LOG_LEVEL: "fatal" });
const { buildBadInput } = await import("./bad-input.ts");
const { findRemainingCommands } = await import("./engine-processes.ts");
const { checkCase, checkGoodJob } = await import("./check-bad-input.ts");
const { closeEngines } = await import("#lib/engines/index.ts");

/** Keeps the files of failed cases. */
const failureFolder = join(tmpdir(), "mediamill-found");

const printLine = (text: string) => process.stdout.write(`${text}\n`);

/** The number of cases per outcome, by operation. */
const outcomes = new Map<string, Map<string, number>>();
let failures = 0;
let slowestMs = 0;

function count(operation: string, outcome: string): void {
  const counts = outcomes.get(operation) ?? new Map<string, number>();
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  outcomes.set(operation, counts);
}

/** Checks each case, then a good file for each operation. `verbose` prints each case. */
export async function runCases(cases: readonly BadCase[], verbose = false): Promise<void> {
  for (const one of cases) {
    const { id, operation } = one;
    const startedAt = performance.now();
    try {
      const outcome = await checkCase(one);
      count(operation.id, outcome);
      const durationMs = performance.now() - startedAt;
      slowestMs = Math.max(slowestMs, durationMs);
      if (verbose) {
        printLine(`${operation.id}, ${id}: ${outcome} (${(durationMs / 1000).toFixed(1)} s)`);
      }
    } catch (error) {
      await reportFailure(one, error);
    }
  }
  for (const operation of new Set(cases.map((one) => one.operation))) {
    await checkGoodJob(operation).catch((error: unknown) => {
      failures++;
      printLine(`${operation.id} FAILED for good files: ${formatError(error)}`);
    });
  }
}

async function reportFailure({ id, operation, row }: BadCase, error: unknown): Promise<void> {
  failures++;
  count(operation.id, "FAILED");
  printLine(`${operation.id}, ${id}: FAILED: ${formatError(error)}`);
  const { path } = await buildBadInput(row);
  mkdirSync(failureFolder, { recursive: true });
  const copy = join(failureFolder, `${failures}-${basename(path)}`);
  copyFileSync(path, copy);
  printLine(`  file kept as ${copy}`);
}

function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.stack}\n  caused by ${formatError(error.cause)}` : `${error.stack}`;
}

/** Stops the engines, prints the totals, and exits: with 1 if a case failed or a process remains. */
export async function endSoak(): Promise<never> {
  await closeEngines();
  const remaining = await findRemainingCommands(folder);
  for (const command of remaining) printLine(`still running: ${command}`);
  for (const [operation, counts] of outcomes) {
    const parts = [...counts].map(([outcome, times]) => `${times} ${outcome}`);
    printLine(`${operation}: ${parts.join(", ")}`);
  }
  const total = [...outcomes.values()]
    .flatMap((counts) => [...counts.values()])
    .reduce((sum, times) => sum + times, 0);
  printLine(
    `${total} cases, ${failures} failures; the slowest took ${(slowestMs / 1000).toFixed(1)} s`,
  );
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(failures + remaining.length === 0 ? 0 : 1);
}
