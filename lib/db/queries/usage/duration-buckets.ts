import { type SQL, sql } from "drizzle-orm";

/**
 * Durations are counted in buckets, each 5 % wider than the one before: bucket `n` has those from 1.05ⁿ to
 * 1.05ⁿ⁺¹ ms. A percentile is then known to within 2.5 %, from some hundred numbers for any number of jobs.
 */
const width = 1.05;

/** The last bucket has everything longer than a year. */
const bucketCount = 500;

/** The bucket of a duration, an SQL interval. Below a millisecond it is bucket 0. */
export function bucketOf(interval: SQL): SQL {
  const ms = sql`greatest(1, extract(epoch from ${interval}) * 1000)::float8`;
  const last = sql.raw(String(bucketCount - 1));
  return sql`least(${last}, floor(ln(${ms}) / ln(${sql.raw(String(width))}::float8)))::int`;
}

/** Numbers of durations by bucket. Summed here: PostgreSQL needs several times as long for it. */
export class DurationCounts {
  readonly #counts = new Float64Array(bucketCount);
  #total = 0;

  /** Adds numbers that start at the bucket `first`, separated by commas; nothing is 0. */
  add(first: number, numbers: string): void {
    let bucket = first;
    for (const text of numbers.split(",")) {
      if (text !== "") this.#addTo(bucket, Number(text));
      bucket++;
    }
  }

  /** Adds the numbers of other durations. */
  addAll(other: DurationCounts): void {
    for (const [bucket, count] of other.#counts.entries()) this.#addTo(bucket, count);
  }

  #addTo(bucket: number, count: number): void {
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
    this.#total += count;
  }

  /** Writes the counts as PostgreSQL's array, from the shortest to the longest duration, with nulls in between. */
  toArrayText(): string {
    const first = this.#counts.findIndex((count) => count > 0);
    if (first === -1) return "{}";
    const last = this.#counts.findLastIndex((count) => count > 0);
    const numbers = [...this.#counts.subarray(first, last + 1)].map((count) => count || "NULL");
    return `[${first}:${last}]={${numbers.join(",")}}`;
  }

  /** The middle of the bucket of a percentile, from 0 to 1, in whole milliseconds. Undefined without a duration. */
  percentileMs(percentile: number): number | undefined {
    const rank = Math.floor(this.#total * percentile);
    let upTo = 0;
    const bucket = this.#counts.findIndex((count) => {
      upTo += count;
      return upTo > rank;
    });
    return bucket === -1 ? undefined : Math.round(width ** (bucket + 0.5));
  }
}
