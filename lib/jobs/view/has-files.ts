import type { JobRow } from "#lib/db/schema/jobs.ts";

/** Whether a job's files are still stored, and will be for `ms` more. */
export function hasFiles(
  { expiresAt, filesDeletedAt }: Pick<JobRow, "expiresAt" | "filesDeletedAt">,
  ms = 0,
): boolean {
  return !filesDeletedAt && (expiresAt === null || expiresAt.getTime() > Date.now() + ms);
}
