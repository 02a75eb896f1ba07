import type { JobRow } from "#lib/db/schema/jobs.ts";

/** Storage keys of a job's files: the one place that spells them. */

/** Folder of a job's stored inputs. */
export function inputFolder(jobId: string): string {
  return `inputs/${jobId}`;
}

/** Folder of a job's outputs, of every attempt. */
export function outputFolder(jobId: string): string {
  return `outputs/${jobId}`;
}

type Attempts = Pick<JobRow, "attempts" | "runnerDeaths">;

/** Which attempt of a job, or of its fetch, this is; from 1 on. */
export function attemptNumber(job: Attempts): number {
  return job.attempts + job.runnerDeaths;
}

/**
 * Folder of the current attempt. A runner that was considered dead and still writes cannot
 * overwrite the files of a later attempt.
 */
export function attemptFolder(folder: string, job: Attempts): string {
  return `${folder}/try-${attemptNumber(job)}`;
}

/** Folders of the attempts before the current one. */
export function earlierAttemptFolders(folder: string, job: Attempts): string[] {
  return Array.from({ length: attemptNumber(job) - 1 }, (_, index) => `${folder}/try-${index + 1}`);
}
