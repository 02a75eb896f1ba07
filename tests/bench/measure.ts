import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One thing measured two ways: through the service, and by the bare engine in the same run. */
export interface BenchCase {
  readonly name: string;
  /** What the bare figure is of. */
  readonly engine: string;
  readonly rounds: number;
  readonly service: () => Promise<unknown>;
  readonly bare: () => Promise<unknown>;
}

export interface BenchRow {
  readonly name: string;
  readonly engine: string;
  readonly serviceMs: Figures;
  readonly bareMs: Figures;
}

interface Figures {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
}

/** Runs both sides in turn, so that whatever else the machine does meets both. */
export async function measureCase({
  name,
  engine,
  rounds,
  service,
  bare,
}: BenchCase): Promise<BenchRow> {
  const times: { service: number[]; bare: number[] } = { service: [], bare: [] };
  await service(); // the first of each finds nothing warm
  await bare();
  for (let round = 0; round < rounds; round++) {
    times.service.push(await time(service));
    times.bare.push(await time(bare));
  }
  return { name, engine, serviceMs: figuresOf(times.service), bareMs: figuresOf(times.bare) };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export function medianOf(values: readonly number[]): number {
  return figuresOf(values).median;
}

function figuresOf(times: readonly number[]): Figures {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10;
  return { min: at(0), median: at(0.5), p95: at(0.95) };
}

/** Prints the table and writes the same figures as JSON beside this file. `sides` says what is compared. */
export function reportRows(
  title: string,
  rows: readonly BenchRow[],
  sides = { service: "service ms", bare: "bare engine ms" },
): void {
  const show = ({ min, median, p95 }: Figures) => `${min} / ${median} / ${p95}`;
  const cells = [
    [title, `${sides.service} (min / median / p95)`, sides.bare, "added, median"],
    ...rows.map((row) => [
      row.name,
      show(row.serviceMs),
      `${show(row.bareMs)}  ${row.engine}`,
      `${(row.serviceMs.median - row.bareMs.median).toFixed(1)} ms`,
    ]),
  ];
  printTable(cells);
  writeResults(title, rows);
}

/** Prints rows of cells in columns; the first row is the head. */
export function printTable(cells: readonly (readonly string[])[]): void {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "),
  );
  process.stdout.write(`${lines.join("\n")}\n\n`);
}

/** Writes figures as JSON beside this file. */
export function writeResults(title: string, rows: unknown): void {
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${title}.json`),
    `${JSON.stringify({ at: new Date(), rows }, null, 2)}\n`,
  );
}
