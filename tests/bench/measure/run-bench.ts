import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { describeMachine, printReport, updateDocs, writeResults } from "../report/report.ts";
import type { Bench } from "../report/rows.ts";
import { reportedRows } from "./measure.ts";

/**
 * Runs the benchmark in argv, prints its table, writes it as JSON and into docs/performance.md. Exits with 1
 * if a target is missed.
 */
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.once(signal, () => process.exit(1));
const [path = ""] = process.argv.splice(2, 1);
const name = basename(path, ".bench.ts");
const startedAt = performance.now();
// A program without a default export has run when its import is done.
const { default: bench } = (await import(pathToFileURL(path).href)) as { default?: Bench };
const rows = bench ? await bench.run() : reportedRows;
// A program that reported in another way has no rows.
if (rows.length > 0) {
  const report = {
    name,
    title: bench?.title ?? name,
    machine: describeMachine(),
    at: new Date(),
    seconds: (performance.now() - startedAt) / 1000,
    rows,
  };
  printReport(report);
  writeResults(report);
  updateDocs(report);
}
const missed = rows.filter(({ ok }) => ok === false);
for (const { row, side, target } of missed)
  process.stdout.write(`Missed: ${row} (${side}) must be ${target}\n`);
process.exit(missed.length > 0 ? 1 : Number(process.exitCode ?? 0));
