import { formatDay } from "#components/overview/chart-scale.ts";
import { dayOf } from "#lib/db/queries/usage/usage-days.ts";
import type { DayRange } from "#lib/db/queries/usage/usage-groups.ts";
import { parseDay, type UrlQuery } from "#lib/jobs/view/job-filters.ts";
import { addDays, countDays, maxReportDays } from "#lib/quotas/usage-report.ts";

/** The ranges of the usage page by their name in its URL. Another range has `from` and `to`, both included. */
export const rangeNames = {
  today: "Today",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  month: "This month",
} as const;

type RangeName = keyof typeof rangeNames;

const presetDays = { today: 1, "7d": 7, "30d": 30, "90d": 90 } as const;

export interface UsageRange {
  readonly name: RangeName | "custom";
  readonly days: DayRange;
  /** The days to compare with: as many, directly before. Of this month, the same days of the last one. */
  readonly previous: DayRange;
  /** Whether the query has other days, which are no range or too long a one. */
  readonly isRejected: boolean;
}

/** The range in a URL's query. An invalid one is the last 30 days. */
export function parseRange(query: UrlQuery, now: Date): UsageRange {
  const today = dayOf(now);
  const end = addDays(today, 1);
  const from = dayIn(query.from);
  const to = dayIn(query.to);
  if (from && to) {
    const days = { first: from, end: addDays(to, 1) };
    const count = countDays(days);
    if (count >= 1 && count <= maxReportDays)
      return { name: "custom", days, previous: before(days), isRejected: false };
  }
  const isRejected = Boolean(query.from || query.to);
  if (query.range === "month") {
    const days = { first: `${today.slice(0, 7)}-01`, end };
    const first = `${addDays(days.first, -1).slice(0, 7)}-01`;
    // A month may have fewer days than today's date.
    const count = Math.min(countDays(days), countDays({ first, end: days.first }));
    const previous = { first, end: addDays(first, count) };
    return { name: "month", days, previous, isRejected };
  }
  const name = presets.find((one) => one === query.range) ?? "30d";
  const days = { first: addDays(end, -presetDays[name]), end };
  return { name, days, previous: before(days), isRejected };
}

const presets = ["today", "7d", "30d", "90d"] as const;

function dayIn(value: string | string[] | undefined): string {
  return typeof value === "string" ? parseDay(value) : "";
}

function before({ first, end }: DayRange): DayRange {
  return { first: addDays(first, -countDays({ first, end })), end: first };
}

/** The filters of the job list for the days. */
export function jobsHref(days: DayRange, filters: Readonly<Record<string, string>> = {}): string {
  const query = { ...filters, created_after: days.first, created_before: days.end };
  return `/dashboard/jobs?${new URLSearchParams(query)}`;
}

/** Describes days as `on 21 Nov` or `from 1 Nov to 21 Nov`, with years unless all are of this year. */
export function describeDays({ first, end }: DayRange, now: Date): string {
  const last = addDays(end, -1);
  const thisYear = dayOf(now).slice(0, 4);
  const hasYear = [first, last].some((day) => !day.startsWith(thisYear));
  const [from, to] = [first, last].map((day) => formatDay(day, { hasYear }));
  return first === last ? `on ${from}` : `from ${from} to ${to}`;
}

/** The change from `before` to `now`, such as `+12%`. Undefined if there was nothing before. */
export function formatChange(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const percent = Math.round((now / before - 1) * 100);
  if (percent === 0) return "no change";
  return percent > 999 ? "more than 10 times" : `${percent > 0 ? "+" : "−"}${Math.abs(percent)}%`;
}
