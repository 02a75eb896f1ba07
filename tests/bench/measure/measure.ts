import { makeRow, type BenchRow as Row } from "../report/rows.ts";

/** A job that is measured in the same run through the service and with the bare engine. */
export interface BenchCase {
  readonly name: string;
  /** Description of the bare engine. */
  readonly engine: string;
  readonly rounds: number;
  readonly service: () => Promise<unknown>;
  readonly bare: () => Promise<unknown>;
  /** Runs after each round of the service, not measured. */
  readonly cleanUp?: () => Promise<unknown>;
  /** What the service may take: `factor` times the bare engine's median and `addedMs` more. */
  readonly limit?: { readonly factor: number; readonly addedMs?: number };
}

export interface BenchRow {
  readonly name: string;
  readonly engine: string;
  readonly serviceMs: Figures;
  readonly bareMs: Figures;
  /** Milliseconds of all rounds. */
  readonly serviceTimes: readonly number[];
  readonly bareTimes: readonly number[];
  readonly limit: BenchCase["limit"];
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
  cleanUp = async () => {},
  limit,
}: BenchCase): Promise<BenchRow> {
  const times: { service: number[]; bare: number[] } = { service: [], bare: [] };
  await service(); // warms up both sides, not measured
  await cleanUp();
  await bare();
  for (let round = 0; round < rounds; round++) {
    times.service.push(await time(service));
    await cleanUp();
    times.bare.push(await time(bare));
  }
  return {
    name,
    engine,
    serviceMs: computeFigures(times.service),
    bareMs: computeFigures(times.bare),
    serviceTimes: times.service,
    bareTimes: times.bare,
    limit,
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

/** The rows of the running benchmark, if it is a program without a default export. */
export const reportedRows: Row[] = [];

/** Reports both sides of each row, and their ratio. */
export function reportRows(_title: string, rows: readonly BenchRow[]): void {
  for (const { name, engine, serviceTimes, bareTimes, limit } of rows) {
    const bare = makeRow(name, engine, "ms", bareTimes);
    const max = limit && Math.round(limit.factor * bare.median + (limit.addedMs ?? 0));
    const service = makeRow(name, "service", "ms", serviceTimes, max ? { target: { max } } : {});
    reportedRows.push(service, bare);
    reportedRows.push(makeRow(name, "service ÷ bare", "×", service.median / bare.median));
  }
}
