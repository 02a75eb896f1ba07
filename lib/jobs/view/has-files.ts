import type { JobRow } from "#lib/db/schema/jobs.ts";

/** Whether a job's files are still stored. */
export function hasFiles({
  expiresAt,
  filesDeletedAt,
}: Pick<JobRow, "expiresAt" | "filesDeletedAt">): boolean {
  return !filesDeletedAt && (expiresAt === null || expiresAt.getTime() > Date.now());
}
