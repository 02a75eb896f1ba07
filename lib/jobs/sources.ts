import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";

/** All files of a job, the main one first. */
export function sourcesOf({ source, parts }: Pick<JobRow, "source" | "parts">): JobSource[] {
  return [source, ...Object.values(parts)];
}

/** Bytes of the files that are already in storage. */
export function storedBytes(sources: readonly JobSource[]): number {
  return sources.reduce((sum, one) => sum + (one.kind === "stored" ? one.bytes : 0), 0);
}
