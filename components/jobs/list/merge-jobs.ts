import type { JobSummary } from "#lib/jobs/view/summary.ts";

const stages = { pending: 0, processing: 1, completed: 2, failed: 2, cancelled: 2 } as const;

/** The newer of two versions of one job: status and progress only move forward. */
function newerOf(one: JobSummary, other: JobSummary): JobSummary {
  const distance = stages[other.status] - stages[one.status];
  if (distance !== 0) return distance > 0 ? other : one;
  return other.progress >= one.progress ? other : one;
}

interface MergeOptions {
  readonly includeNew?: ((job: JobSummary) => boolean) | undefined;
  readonly limit?: number | undefined;
}

/**
 * Updates `initial` from `live`, adds the new jobs that `includeNew` accepts, and sorts by newest
 * first.
 */
export function mergeJobs(
  initial: readonly JobSummary[],
  live: ReadonlyMap<string, JobSummary>,
  { includeNew = () => false, limit = Number.POSITIVE_INFINITY }: MergeOptions = {},
): readonly JobSummary[] {
  if (live.size === 0) return initial;
  const shown = new Set(initial.map(({ id }) => id));
  const added = [...live.values()].filter((job) => !shown.has(job.id) && includeNew(job));
  const current = initial.map((job) => newerOf(job, live.get(job.id) ?? job));
  if (added.length === 0) return current;
  return [...current, ...added].sort(compareNewestFirst).slice(0, limit);
}

/** The server's order: by creation time, then by id. */
function compareNewestFirst(one: JobSummary, other: JobSummary): number {
  return other.createdAt.localeCompare(one.createdAt) || (other.id > one.id ? 1 : -1);
}
