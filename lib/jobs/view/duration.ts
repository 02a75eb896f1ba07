/** The times of a job, RFC 3339. */
interface TimedJob {
  readonly createdAt: string;
  /** The end of the job; null until the job is final. */
  readonly completedAt: string | null;
}

/**
 * How long a job took, in milliseconds: from its acceptance to its end, or to `now` until then. Lists, statistics and
 * the timeline of a job all show this time.
 */
export function jobDurationMs({ createdAt, completedAt }: TimedJob, now: number): number {
  const end = completedAt === null ? now : Date.parse(completedAt);
  return Math.max(0, end - Date.parse(createdAt));
}
