import { z } from "zod";
import type { RequestFilter } from "#lib/db/queries/requests/lists.ts";
import { type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";
import { parseDay, startOfDay } from "#lib/jobs/view/job-filters.ts";

/** The first digits of statuses to filter by. */
export const statusClasses = { "2xx": "Succeeded", "4xx": "Rejected", "5xx": "Failed" } as const;

// Object.keys types the keys as text.
export const requestErrorCodes = Object.keys(requestErrorStatus) as RequestErrorCode[];

const classNames = ["2xx", "4xx", "5xx"] as const;

const requestId = z
  .string()
  .regex(/^req_[0-9A-Za-z]{24}$/)
  .catch("");

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\0]*$/)
    .catch("");

/** The query of the page's URL. An invalid value is empty, and an empty one matches every request. */
const query = z.object({
  path: text(200),
  status: z.enum([...classNames, ...requestErrorCodes, ""]).catch(""),
  key: z
    .string()
    .regex(/^key_[0-9A-Za-z]{24}$/)
    .catch(""),
  id: z
    .string()
    .trim()
    .regex(/^(?:req|job)_[0-9A-Za-z]{0,24}$/)
    .catch(""),
  created_after: text(10).transform(parseDay),
  created_before: text(10).transform(parseDay),
  from: requestId,
  to: requestId,
});

export type RequestQuery = z.output<typeof query>;

export function parseRequestQuery(given: unknown): RequestQuery {
  return query.parse(given);
}

/** Where the page starts: after or before a request. At most one is not empty. */
const position = z.object({ starting_after: requestId, ending_before: requestId });

export type RequestPosition = Partial<z.output<typeof position>>;

export function parseRequestPosition(given: unknown): RequestPosition {
  return position.parse(given);
}

export function isRequestFilter(filters: RequestQuery): boolean {
  return Object.values(filters).some((value) => value !== "");
}

/** Whether the list is that of one group of repeats: each request has a row of its own. */
export function isGroup({ from, to }: RequestQuery): boolean {
  return from !== "" && to !== "";
}

/** The page's URL with these filters. */
export function requestsUrl(filters: Partial<RequestQuery>, start: RequestPosition = {}): string {
  const given = Object.entries({ ...filters, ...start }).filter(([, value]) => value);
  const search = new URLSearchParams(given).toString();
  return `/dashboard/requests${search && `?${search}`}`;
}

export function toRequestFilter(filters: RequestQuery): RequestFilter {
  const { path, status, key, id, created_after, created_before, from, to } = filters;
  const isClass = classNames.some((name) => name === status);
  return {
    path: path || undefined,
    statusClass: isClass ? Number(status[0]) : undefined,
    errorCode: isClass ? undefined : status || undefined,
    apiKeyId: key || undefined,
    id: id || undefined,
    createdAfter: startOfDay(created_after),
    createdBefore: startOfDay(created_before),
    from: from || undefined,
    to: to || undefined,
  };
}
