import { db, transaction } from "#lib/db/client.ts";
import { listApiKeys } from "#lib/db/queries/accounts/api-keys.ts";
import { foldUsageEvents } from "#lib/db/queries/usage/fold-usage-events.ts";
import { dayOf } from "#lib/db/queries/usage/usage-days.ts";
import {
  type DayRange,
  readUsageGroups,
  type UsageDimension,
  type UsageTotal,
} from "#lib/db/queries/usage/usage-groups.ts";

const dayMs = 86_400_000;

/** The longest range of a report: a leap year. */
export const maxReportDays = 366;

/** The group of jobs that were created without an API key. */
export const dashboardGroup = "dashboard";

export interface ReportGroup extends UsageTotal {
  /** An operation, the id of a key or `dashboard`, a day or an error code. */
  readonly group: string;
  /** The name of a key. */
  readonly name: string | undefined;
}

export interface UsageReport {
  readonly total: UsageTotal;
  readonly groups: readonly ReportGroup[];
}

/**
 * The jobs of an account that were accepted in `range`, by group. Days without a job have zeros; other
 * groups without one are left out.
 */
export async function readUsageReport(
  accountId: string,
  dimension: UsageDimension,
  range: DayRange,
): Promise<UsageReport> {
  await transaction(foldUsageEvents);
  const [{ total, groups }, keys] = await Promise.all([
    readUsageGroups(db(), accountId, dimension, range),
    dimension === "key" ? listApiKeys(db(), accountId) : [],
  ]);
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const named = groups.map((group) => ({
    ...group,
    group: group.group || dashboardGroup,
    name: names.get(group.group),
  }));
  return { total, groups: dimension === "day" ? fillDays(named, range) : named };
}

function fillDays(groups: readonly ReportGroup[], range: DayRange): ReportGroup[] {
  const byDay = new Map(groups.map((group) => [group.group, group]));
  return daysOf(range).map((day) => byDay.get(day) ?? { ...noJobs, group: day });
}

const noJobs = {
  jobs: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  usedBytes: 0,
  p50Ms: undefined,
  p95Ms: undefined,
  errors: [],
  name: undefined,
};

/** The days of a range, `2026-11-21`, oldest first. */
export function daysOf({ first, end }: DayRange): string[] {
  return Array.from({ length: countDays({ first, end }) }, (_, index) => addDays(first, index));
}

export function countDays({ first, end }: DayRange): number {
  return Math.round((Date.parse(end) - Date.parse(first)) / dayMs);
}

/** The day `count` days after `day`, or before it if `count` is negative. */
export function addDays(day: string, count: number): string {
  return dayOf(new Date(Date.parse(day) + count * dayMs));
}
