/** What one side of a measurement reached. All benchmarks report rows of this shape. */
export interface BenchRow {
  /** What was measured. Rows of the sides of one measurement have the same text. */
  readonly row: string;
  /** The side of the measurement: `service`, the name of what it is compared with, or `ratio`. */
  readonly side: string;
  /** The unit of `median` and `p95`. */
  readonly unit: string;
  readonly median: number;
  /** The 95th percentile; null if there is one value. */
  readonly p95: number | null;
  /** The CPU seconds of this side in the whole measurement; null if not measured. */
  readonly cpu: number | null;
  /** Resident memory in bytes after the measurement; null if not measured. */
  readonly memory: number | null;
  /** The target, such as `≤ 15`; null for a row without one. */
  readonly target: string | null;
  /** Whether the target is reached. */
  readonly ok: boolean | null;
}

/** A benchmark: the default export of each `tests/bench/*.bench.ts`. */
export interface Bench {
  readonly title: string;
  run(): Promise<BenchRow[]>;
}

/** A limit of the value in a row. `of`: which of its values, default the median. */
export interface Target {
  readonly max?: number;
  readonly min?: number;
  readonly of?: "median" | "p95" | "p99";
}

/** The optional values of a row. */
export interface RowDetails {
  readonly target?: Target;
  /** The CPU seconds. */
  readonly cpu?: number;
  /** The memory in bytes. */
  readonly memory?: number;
}

/** A row of one value, or of the median and 95th percentile of several. */
export function makeRow(
  row: string,
  side: string,
  unit: string,
  values: number | readonly number[],
  { target, cpu, memory }: RowDetails = {},
): BenchRow {
  const all = typeof values === "number" ? [values] : values;
  const median = percentile(all, 0.5);
  const p95 = all.length > 1 ? percentile(all, 0.95) : null;
  const value = percentile(all, shares[target?.of ?? "median"]);
  return {
    row,
    side,
    unit,
    median,
    p95,
    cpu: cpu ?? null,
    memory: memory ?? null,
    target: target ? describeTarget(target, value) : null,
    ok: target ? value <= (target.max ?? Infinity) && value >= (target.min ?? -Infinity) : null,
  };
}

const shares = { median: 0.5, p95: 0.95, p99: 0.99 } as const;

function describeTarget({ max, min, of = "median" }: Target, value: number): string {
  const limits = [max === undefined ? [] : `≤ ${max}`, min === undefined ? [] : `≥ ${min}`].flat();
  const reached = of === "median" ? "" : ` (${of}: ${value.toPrecision(3)})`;
  return `${limits.join(", ")}${reached}`;
}

/** The smallest value that `share` (0 to 1) of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error("no values");
  return value;
}

/** What one round of a side took. */
export interface Round {
  /** The value in the unit of the measurement. */
  readonly value: number;
  readonly cpuSeconds?: number;
}

/** All rounds of one side. */
export interface SideRounds {
  readonly values: readonly number[];
  /** The CPU seconds of all rounds together; undefined if not measured. */
  readonly cpu: number | undefined;
}

/**
 * Measures all sides in turns, so that other load on the machine affects them equally. Each side first
 * runs `warmUps` times without being measured.
 */
export async function measureInTurns<Side extends string>(
  sides: Readonly<Record<Side, () => Promise<Round>>>,
  { rounds, warmUps = 1 }: { readonly rounds: number; readonly warmUps?: number },
): Promise<Record<Side, SideRounds>> {
  const all = Object.entries<() => Promise<Round>>(sides).map(([side, run]) => {
    const measured: Round[] = [];
    return { side, run, measured };
  });
  for (let round = -warmUps; round < rounds; round++) {
    for (const { run, measured } of all) {
      const result = await run();
      if (round >= 0) measured.push(result);
    }
  }
  const results = all.map(({ side, measured }) => {
    const cpus = measured.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
    const cpu = cpus.length > 0 ? cpus.reduce((sum, seconds) => sum + seconds) : undefined;
    return [side, { values: measured.map(({ value }) => value), cpu }] as const;
  });
  // One entry for each side.
  return Object.fromEntries(results) as unknown as Record<Side, SideRounds>;
}

/** The time of `work` in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<Round> {
  const startedAt = performance.now();
  await work();
  return { value: performance.now() - startedAt };
}
