import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A job that is measured in the same run through the service and with the bare engine. */
export interface BenchCase {
  readonly name: string;
  /** Description of the bare engine. */
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

/** Runs both sides alternately, so that other load on the machine affects both. */
export async function measureCase({
  name,
  engine,
  rounds,
  service,
  bare,
}: BenchCase): Promise<BenchRow> {
  const times: { service: number[]; bare: number[] } = { service: [], bare: [] };
  await service(); // warms up both sides, not measured
  await bare();
  for (let round = 0; round < rounds; round++) {
    times.service.push(await time(service));
    times.bare.push(await time(bare));
  }
  return {
    name,
    engine,
    serviceMs: computeFigures(times.service),
    bareMs: computeFigures(times.bare),
  };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export function computeMedian(values: readonly number[]): number {
  return computeFigures(values).median;
}

function computeFigures(times: readonly number[]): Figures {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10;
  return { min: at(0), median: at(0.5), p95: at(0.95) };
}

/** Prints the table and writes the same figures as JSON to `results`. `sides` are the two column titles. */
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

/** Prints rows of cells in columns; the first row is the header. */
export function printTable(cells: readonly (readonly string[])[]): void {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "),
  );
  process.stdout.write(`${lines.join("\n")}\n\n`);
}

/** Writes figures as JSON to the folder `results` next to this file. */
export function writeResults(title: string, rows: unknown): void {
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${title}.json`),
    `${JSON.stringify({ at: new Date(), rows }, null, 2)}\n`,
  );
}
