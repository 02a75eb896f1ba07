import type { JobFilter } from "#lib/db/queries/jobs/lists.ts";
import { type JobStatus, jobStatuses } from "#lib/db/schema/job-states.ts";
import { type JobErrorCode, jobErrorCodes } from "#lib/errors.ts";
import type { JobSummary } from "./summary.ts";

/** The filters of the dashboard's job list, as in a URL. An empty field matches every job. */
export interface JobFilters {
  /** The start of a job's id, or a part of its file name, its metadata or its error. */
  readonly q: string;
  readonly status: JobStatus | "";
  readonly operation: string;
  readonly error_code: JobErrorCode | "";
  /** The id of the API key that created the job. */
  readonly key: string;
  /** A value of the job's metadata: `order=1042`. */
  readonly metadata: string;
  /** Days in UTC, such as `2026-11-21`: created on that day or later; created before that day. */
  readonly created_after: string;
  readonly created_before: string;
}

export const filterNames = [
  "q",
  "status",
  "operation",
  "error_code",
  "key",
  "metadata",
  "created_after",
  "created_before",
] as const satisfies (keyof JobFilters)[];

export type UrlQuery = Readonly<Record<string, string | string[] | undefined>>;

/** The filters in a URL's query. Invalid values are ignored. */
export function parseFilters(query: UrlQuery): JobFilters {
  const searchText = (name: string) => {
    const value = query[name];
    return typeof value === "string" && /^[^\0]{1,255}$/.test(value.trim()) ? value.trim() : "";
  };
  const text = (name: keyof JobFilters, pattern: RegExp) => {
    const value = query[name];
    return typeof value === "string" && pattern.test(value.trim()) ? value.trim() : "";
  };
  return {
    // Links and saved views may have the names that two fields had before.
    q: ["q", "id", "filename"].map(searchText).find(Boolean) ?? "",
    status: jobStatuses.find((status) => status === query.status) ?? "",
    operation: text("operation", /^[a-z0-9/-]{1,100}$/),
    error_code: jobErrorCodes.find((code) => code === query.error_code) ?? "",
    key: text("key", /^key_[0-9A-Za-z]{24}$/),
    metadata: text("metadata", /^[^=\0]{1,500}=[^\0]{0,500}$/),
    created_after: parseDay(text("created_after", dayPattern)),
    created_before: parseDay(text("created_before", dayPattern)),
  };
}

/** Of the years 1000 to 2999: the database and the text of a date know no year 0, and no year of five digits. */
const dayPattern = /^[12]\d{3}-\d{2}-\d{2}$/;

/** The day, or an empty string if the calendar has no such day. */
export function parseDay(text: string): string {
  const time = dayPattern.test(text) ? Date.parse(text) : Number.NaN;
  // A 30 February is read as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : "";
}

/** The start of a day in UTC; undefined for an empty string. */
export function startOfDay(day: string): Date | undefined {
  return day === "" ? undefined : new Date(`${day}T00:00:00Z`);
}

/** The filter of the database query. */
export function toJobFilter(filters: JobFilters): JobFilter {
  const { q, status, operation, error_code, key, metadata } = filters;
  const at = metadata.indexOf("=");
  return {
    text: q || undefined,
    status: status || undefined,
    operation: operation || undefined,
    errorCode: error_code || undefined,
    apiKeyId: key || undefined,
    metadata: at > 0 ? { [metadata.slice(0, at)]: metadata.slice(at + 1) } : undefined,
    createdAfter: startOfDay(filters.created_after),
    createdBefore: startOfDay(filters.created_before),
  };
}

/**
 * Whether a job matches the filters: the same rule as the database query. False if the summary of a job does not
 * say it.
 */
export function matchesFilters(filters: JobFilters, job: JobSummary): boolean {
  const { q, status, operation, created_after: after, created_before: before } = filters;
  const { error_code: errorCode, key, metadata } = filters;
  const hasText = (value: string | null) => (value ?? "").toLowerCase().includes(q.toLowerCase());
  return (
    (q === "" || job.id.startsWith(q) || hasText(job.input) || hasText(job.error)) &&
    (status === "" || job.status === status) &&
    (operation === "" || job.operation === operation) &&
    (errorCode === "" || job.errorCode === errorCode) &&
    key === "" &&
    metadata === "" &&
    (after === "" || job.createdAt >= after) &&
    (before === "" || job.createdAt < before)
  );
}
