import { filterNames, type JobFilters, type UrlQuery } from "#lib/jobs/view/job-filters.ts";

/** Where a page of the list starts: after or before the job with this id. At most one is given. */
export interface ListPosition {
  readonly starting_after?: string;
  readonly ending_before?: string;
}

/** The position in a URL's query. An invalid one is ignored. */
export function parsePosition(query: UrlQuery): ListPosition {
  for (const name of ["starting_after", "ending_before"] as const) {
    const value = query[name];
    if (typeof value === "string" && /^job_[0-9A-Za-z]{24}$/.test(value)) return { [name]: value };
  }
  return {};
}

/** The filters as a query. */
export function filterQuery(filters: JobFilters): URLSearchParams {
  const given = filterNames.filter((name) => filters[name] !== "");
  return new URLSearchParams(given.map((name) => [name, filters[name]]));
}

/** The URL of the job list with these filters. */
export function jobsUrl(filters: JobFilters, position: ListPosition = {}): string {
  const query = filterQuery(filters);
  for (const [name, id] of Object.entries(position)) query.set(name, id);
  return query.size > 0 ? `/dashboard/jobs?${query}` : "/dashboard/jobs";
}

export function isFiltered(filters: JobFilters): boolean {
  return filterNames.some((name) => filters[name] !== "");
}
