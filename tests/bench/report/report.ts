import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { projectFolder } from "#lib/setup/node24.mjs";
import type { BenchRow } from "./rows.ts";

const docsFile = join(projectFolder, "docs", "performance.md");

/** A finished benchmark. */
export interface BenchReport {
  /** The name of its file, without `.bench.ts`. */
  readonly name: string;
  readonly title: string;
  readonly machine: string;
  readonly at: Date;
  readonly seconds: number;
  readonly rows: readonly BenchRow[];
}

/** Processor, memory and Node.js of this machine, in one line. */
export function describeMachine(): string {
  const [processor] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const model = processor?.model.replace(/\s+/g, " ").trim() || process.arch;
  return `${cpus().length} cores (${model}), ${gigabytes} GiB of memory, ${process.platform}, Node.js ${process.versions.node}`;
}

const header = ["", "side", "unit", "median", "p95", "CPU s", "memory MB", "target", "ok"];

/** The cells of a row, for a terminal and for Markdown. */
function formatRow({ row, side, unit, median, p95, cpu, memory, target, ok }: BenchRow): string[] {
  return [
    row,
    side,
    unit,
    formatNumber(median),
    p95 === null ? "" : formatNumber(p95),
    cpu === null ? "" : formatNumber(cpu),
    memory === null ? "" : formatNumber(memory / 1e6),
    target ?? "",
    ok === null ? "" : ok ? "yes" : "no",
  ];
}

/** Three significant digits; whole numbers from 100 on. */
function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
  return Number(digits).toLocaleString("en-US");
}

/** Prints the rows as a table. */
export function printReport({ title, rows, seconds }: BenchReport): void {
  const cells = [[title, ...header.slice(1)], ...rows.map(formatRow)];
  const widths = header.map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? "").length)),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  process.stdout.write(`${lines.join("\n")}\n${seconds.toFixed(0)} s\n\n`);
}

/** Writes the report as JSON to `tests/bench/results`. */
export function writeResults(report: BenchReport): void {
  const folder = join(import.meta.dirname, "..", "results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${report.name}.json`), `${JSON.stringify(report, null, 2)}\n`);
}

/** Replaces the benchmark's table in docs/performance.md. Its place is marked with comments. */
export function updateDocs(report: BenchReport): void {
  if (!existsSync(docsFile)) return;
  writeFileSync(docsFile, replaceTable(readFileSync(docsFile, "utf8"), report));
}

/** Throws if `text` has no place for the table. */
export function replaceTable(text: string, report: BenchReport): string {
  const start = `<!-- bench: ${report.name} -->`;
  const end = "<!-- end -->";
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from === -1 || to === -1)
    throw new Error(`docs/performance.md has no place for ${report.name}: ${start} ${end}`);
  return `${text.slice(0, from)}${start}\n\n${renderMarkdown(report)}\n\n${text.slice(to)}`;
}

function renderMarkdown({ machine, at, rows }: BenchReport): string {
  // A column without a value in any row is left out.
  const cells = rows.map(formatRow);
  const columns = header.flatMap((_, column) =>
    column === 0 || cells.some((row) => row[column]) ? column : [],
  );
  const line = (row: readonly string[]) =>
    `| ${columns.map((column) => row[column]?.replaceAll("|", "\\|") ?? "").join(" | ")} |`;
  return [
    `${at.toISOString().slice(0, 10)}: ${machine}.`,
    "",
    line(header),
    `|${columns.map(() => "---").join("|")}|`,
    ...cells.map(line),
  ].join("\n");
}
