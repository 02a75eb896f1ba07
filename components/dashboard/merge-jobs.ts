import type { JobSummary } from "#lib/jobs/view/summary.ts";

/** Whether the job has reached a state that it never leaves. */
export function isEnded({ status }: Pick<JobSummary, "status">): boolean {
  return status !== "pending" && status !== "processing";
}

const stages = { pending: 0, processing: 1, completed: 2, failed: 2, cancelled: 2 } as const;

/** Of two accounts of one job the later: states and progress move forward only. */
function later(one: JobSummary, other: JobSummary): JobSummary {
  const distance = stages[other.status] - stages[one.status];
  if (distance !== 0) return distance > 0 ? other : one;
  return other.progress >= one.progress ? other : one;
}

interface MergeOptions {
  readonly admit?: ((job: JobSummary) => boolean) | undefined;
  readonly limit?: number | undefined;
}

/** `initial` brought up to date by `live`, with the new ones that are admitted; newest first. */
export function mergeJobs(
  initial: readonly JobSummary[],
  live: ReadonlyMap<string, JobSummary>,
  { admit = () => false, limit = Number.POSITIVE_INFINITY }: MergeOptions = {},
): readonly JobSummary[] {
  if (live.size === 0) return initial;
  const shown = new Set(initial.map(({ id }) => id));
  const added = [...live.values()].filter((job) => !shown.has(job.id) && admit(job));
  const current = initial.map((job) => later(job, live.get(job.id) ?? job));
  if (added.length === 0) return current;
  return [...current, ...added].sort(compareNewestFirst).slice(0, limit);
}

/** As the server sorts: by time of creation, then by id. */
function compareNewestFirst(one: JobSummary, other: JobSummary): number {
  return other.createdAt.localeCompare(one.createdAt) || (other.id > one.id ? 1 : -1);
}
