import { type JobStatus, jobStatuses } from "#lib/db/schema/job-statuses.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";

/** What the list of jobs is narrowed to, as its address has it; a field that is empty narrows nothing. */
export interface JobFilters {
  readonly id: string;
  readonly status: JobStatus | "";
  readonly operation: string;
  /** Days of UTC, `2026-11-21`: made on it or later; made before it. */
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

/** The filters of an address. What is no filter of ours narrows nothing. */
export function readFilters(query: Query): JobFilters {
  const text = (name: string, pattern: RegExp) => {
    const value = query[name];
    return typeof value === "string" && pattern.test(value.trim()) ? value.trim() : "";
  };
  return {
    id: text("id", /^[0-9A-Za-z_]{1,28}$/),
    status: jobStatuses.find((status) => status === query.status) ?? "",
    operation: text("operation", /^[a-z0-9/-]{1,100}$/),
    created_after: readDay(text("created_after", dayPattern)),
    created_before: readDay(text("created_before", dayPattern)),
  };
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** The day if the calendar has it. */
function readDay(text: string): string {
  return Number.isNaN(Date.parse(text)) ? "" : text;
}

/** The page of an address, from 1. */
export function readPage({ page }: Query): number {
  const number = typeof page === "string" && /^\d{1,7}$/.test(page) ? Number(page) : 1;
  return Math.max(1, number);
}

/** The address of the list with these filters. */
export function listAddress(filters: JobFilters, page = 1): string {
  const query = new URLSearchParams();
  for (const name of filterNames) if (filters[name]) query.set(name, filters[name]);
  if (page > 1) query.set("page", String(page));
  return query.size > 0 ? `/dashboard/jobs?${query}` : "/dashboard/jobs";
}

export function isFiltered(filters: JobFilters): boolean {
  return filterNames.some((name) => filters[name] !== "");
}

/** The beginning of a day, UTC; undefined for none. */
export function startOfDay(day: string): Date | undefined {
  return day === "" ? undefined : new Date(`${day}T00:00:00Z`);
}

/** Whether a job passes the filters, as the database would say. */
export function passes(filters: JobFilters, job: JobSummary): boolean {
  const { id, status, operation, created_after: after, created_before: before } = filters;
  return (
    job.id.startsWith(id) &&
    (status === "" || job.status === status) &&
    (operation === "" || job.operation === operation) &&
    (after === "" || job.createdAt >= after) &&
    (before === "" || job.createdAt < before)
  );
}
