import { and, eq, gte, inArray, lt, notInArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { usageGroups } from "../../schema/dashboard/usage-groups.ts";
import { DurationCounts } from "./duration-buckets.ts";

export const usageDimensions = ["operation", "key", "day", "error_code"] as const;
export type UsageDimension = (typeof usageDimensions)[number];

/** Days in UTC, `2026-11-21`: from `first`, before `end`. */
export interface DayRange {
  readonly first: string;
  readonly end: string;
}

/** Jobs of one group, by the day of their acceptance. */
export interface UsageGroup {
  /** An operation, the id of a key (empty: created without one), a day or an error code. */
  readonly group: string;
  readonly jobs: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Bytes of input of the completed jobs, as counted against the plan. */
  readonly usedBytes: number;
  /** How long completed jobs took, by error code failed ones, within 2.5 %. Undefined if there are none. */
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
  /** Failed jobs by error code, the most frequent first. */
  readonly errors: readonly { readonly code: string; readonly jobs: number }[];
}

export type UsageTotal = Omit<UsageGroup, "group">;

const columns = {
  operation: sql<string>`${usageGroups.value}`,
  key: sql<string>`${usageGroups.value}`,
  day: sql<string>`${usageGroups.day}::text`,
  error_code: sql<string>`${usageGroups.outcome}`,
} as const;

const notFailed = ["accepted", "completed", "cancelled"];

/**
 * An account's jobs of some days, all together and in groups: the group with the most jobs first, or days in
 * their order. By error code, there are only failed jobs.
 */
export async function readUsageGroups(
  db: Queryable,
  accountId: string,
  dimension: UsageDimension,
  range: DayRange,
): Promise<{ total: UsageTotal; groups: UsageGroup[] }> {
  const ofErrors = dimension === "error_code";
  const isFailed = notInArray(usageGroups.outcome, notFailed);
  const inRange = and(
    eq(usageGroups.accountId, accountId),
    // Most accounts have fewer keys than operations.
    eq(usageGroups.dimension, dimension === "operation" ? "operation" : "key"),
    gte(usageGroups.day, range.first),
    lt(usageGroups.day, range.end),
    ofErrors ? isFailed : undefined,
  );
  const group = columns[dimension];
  const [counts, durations] = await Promise.all([
    db
      .select({
        group,
        outcome: usageGroups.outcome,
        jobs: sql`sum(${usageGroups.jobs})`.mapWith(Number),
        usedBytes: sql`sum(${usageGroups.usedBytes})`.mapWith(Number),
      })
      .from(usageGroups)
      .where(inRange)
      .groupBy(sql`1, 2`),
    db
      .select({
        group,
        first: sql<number>`array_lower(${usageGroups.durations}, 1)`,
        numbers: sql<string>`array_to_string(${usageGroups.durations}, ',', '')`,
      })
      .from(usageGroups)
      .where(and(inRange, ofErrors ? undefined : inArray(usageGroups.outcome, ["completed"]))),
  ]);
  const all = new DurationCounts();
  const byGroup = new Map<string, DurationCounts>();
  for (const { group, first, numbers } of durations) {
    const counts = byGroup.get(group) ?? new DurationCounts();
    byGroup.set(group, counts);
    counts.add(first, numbers);
  }
  // After each group is summed: a year of an account with many operations has some ten thousand rows.
  for (const counts of byGroup.values()) all.addAll(counts);
  const groups = [...Map.groupBy(counts, ({ group }) => group)].map(([group, rows]) => ({
    group,
    ...sumRows(rows, byGroup.get(group), ofErrors),
  }));
  const byName = (one: UsageGroup, other: UsageGroup) => (one.group < other.group ? -1 : 1);
  const byJobs = (one: UsageGroup, other: UsageGroup) =>
    other.jobs - one.jobs || byName(one, other);
  return {
    total: sumRows(counts, all, ofErrors),
    groups: groups.sort(dimension === "day" ? byName : byJobs),
  };
}

interface CountRow {
  readonly outcome: string;
  readonly jobs: number;
  readonly usedBytes: number;
}

function sumRows(
  rows: readonly CountRow[],
  durations: DurationCounts | undefined,
  ofErrors: boolean,
): UsageTotal {
  const jobsOf = new Map<string, number>();
  for (const { outcome, jobs } of rows) jobsOf.set(outcome, (jobsOf.get(outcome) ?? 0) + jobs);
  const { accepted = 0, completed = 0, cancelled = 0, ...codes } = Object.fromEntries(jobsOf);
  const errors = Object.entries(codes)
    .map(([code, jobs]) => ({ code, jobs }))
    .sort((one, other) => other.jobs - one.jobs || (one.code < other.code ? -1 : 1));
  const failed = errors.reduce((sum, { jobs }) => sum + jobs, 0);
  return {
    jobs: ofErrors ? failed : accepted,
    completed,
    failed,
    cancelled,
    usedBytes: rows.reduce((sum, row) => sum + row.usedBytes, 0),
    p50Ms: durations?.percentileMs(0.5),
    p95Ms: durations?.percentileMs(0.95),
    errors,
  };
}
