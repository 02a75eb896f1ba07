import type { SearchTarget } from "#components/docs/search/search-target.ts";
import { formatAgo } from "#components/format.ts";
import type { FoundJobs } from "#lib/api/endpoints/dashboard/find-jobs.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";

/** Shorter texts are in the names of too many files. */
const minTextLength = 3;

/** The account's jobs by id or by the name of their input file. */
export async function findJobTargets(
  text: string,
  signal: AbortSignal,
): Promise<readonly SearchTarget[]> {
  if (text.length < minTextLength) return [];
  const { jobs } = await fetchJobs({ text }, signal);
  return jobs.map(toTarget);
}

/** The path of the newest job that failed; undefined if none has. */
export async function findLastFailed(): Promise<string | undefined> {
  const { jobs } = await fetchJobs({ status: "failed" });
  return jobs[0] && pathOf(jobs[0]);
}

async function fetchJobs(
  query: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<FoundJobs> {
  const response = await fetch(`/dashboard/api/jobs/search?${new URLSearchParams(query)}`, {
    ...(signal && { signal }),
  });
  if (!response.ok) throw new Error(`the search of jobs returned status ${response.status}`);
  // Our own endpoint serializes this type.
  return (await response.json()) as FoundJobs;
}

function toTarget(job: JobSummary): SearchTarget {
  const { id, input, operation, status, createdAt } = job;
  const age = formatAgo(new Date(createdAt), new Date());
  return {
    kind: "page",
    title: input ?? id,
    section: "Job",
    text: `${operation}, ${status}, ${age}`,
    href: pathOf(job),
  };
}

function pathOf({ id }: JobSummary): string {
  return `/dashboard/jobs/${id}`;
}
