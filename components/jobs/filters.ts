import { type JobStatus, jobStatuses } from "#lib/db/schema/job-states.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";

/** The filters of the job list, as in the page's URL. An empty field matches every job. */
export interface JobFilters {
  readonly id: string;
  readonly status: JobStatus | "";
  readonly operation: string;
  /** Days in UTC, such as `2026-11-21`: created on that day or later; created before that day. */
  readonly created_after: string;
  readonly created_before: string;
}

export const filterNames = [
  "id",
  "status",
  "operation",
  "created_after",
  "created_before",
] as const satisfies (keyof JobFilters)[];

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** The filters in a URL's query. Invalid values are ignored. */
export function parseFilters(query: Query): JobFilters {
  const text = (name: string, pattern: RegExp) => {
    const value = query[name];
    return typeof value === "string" && pattern.test(value.trim()) ? value.trim() : "";
  };
  return {
    id: text("id", /^[0-9A-Za-z_]{1,28}$/),
    status: jobStatuses.find((status) => status === query.status) ?? "",
    operation: text("operation", /^[a-z0-9/-]{1,100}$/),
    created_after: parseDay(text("created_after", dayPattern)),
    created_before: parseDay(text("created_before", dayPattern)),
  };
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** The day, or an empty string if the calendar has no such day. */
export function parseDay(text: string): string {
  return Number.isNaN(Date.parse(text)) ? "" : text;
}

/** The page number in a URL's query, from 1. */
export function parsePage({ page }: Query): number {
  const number = typeof page === "string" && /^\d{1,7}$/.test(page) ? Number(page) : 1;
  return Math.max(1, number);
}

/** The URL of the job list with these filters. */
export function jobsUrl(filters: JobFilters, page = 1): string {
  const query = new URLSearchParams();
  for (const name of filterNames) if (filters[name]) query.set(name, filters[name]);
  if (page > 1) query.set("page", String(page));
  return query.size > 0 ? `/dashboard/jobs?${query}` : "/dashboard/jobs";
}

export function isFiltered(filters: JobFilters): boolean {
  return filterNames.some((name) => filters[name] !== "");
}

/** The start of a day in UTC; undefined for an empty string. */
export function startOfDay(day: string): Date | undefined {
  return day === "" ? undefined : new Date(`${day}T00:00:00Z`);
}

/** Whether a job matches the filters: the same rule as the database query. */
export function matchesFilters(filters: JobFilters, job: JobSummary): boolean {
  const { id, status, operation, created_after: after, created_before: before } = filters;
  return (
    job.id.startsWith(id) &&
    (status === "" || job.status === status) &&
    (operation === "" || job.operation === operation) &&
    (after === "" || job.createdAt >= after) &&
    (before === "" || job.createdAt < before)
  );
}
