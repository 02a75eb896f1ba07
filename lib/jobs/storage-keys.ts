import type { UploadRow } from "#lib/db/queries/files/uploads.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";

/** Storage keys of jobs and uploads. No other module builds them. */

/** Folder of a job's stored inputs. */
export function inputFolder(jobId: string): string {
  return `inputs/${jobId}`;
}

/** Folder of a job's files that are deleted when it ends, such as certificates. */
export function secretFolder(jobId: string): string {
  return `${inputFolder(jobId)}/secret`;
}

/** Folder of a job's outputs, of all attempts. */
export function outputFolder(jobId: string): string {
  return `outputs/${jobId}`;
}

/** Key of the input of `part` of a job that arrived with the request. */
export function inputKey(jobId: string, part: string, isSecret = false): string {
  return `${isSecret ? secretFolder(jobId) : inputFolder(jobId)}/${part}`;
}

/** Folder of an upload that was created by `POST /v1/uploads`. */
export function uploadFolder(uploadId: string): string {
  return `uploads/${uploadId}`;
}

/** Folder of what one `PUT` sends. Another one that still writes cannot overwrite it. */
export function uploadAttemptFolder(uploadId: string, attempt: string): string {
  return `${uploadFolder(uploadId)}/${attempt}`;
}

export function uploadKey({ id, attempt }: Pick<UploadRow, "id" | "attempt">): string {
  return `${attempt === null ? uploadFolder(id) : uploadAttemptFolder(id, attempt)}/file`;
}

type Attempts = Pick<JobRow, "attempts" | "runnerDeaths">;

/** Number of the current attempt of the job's stage, from 1; 0 before the first claim. */
export function attemptNumber(job: Attempts): number {
  return job.attempts + job.runnerDeaths;
}

/**
 * Folder of the current attempt. A runner that lost its lease and still writes cannot overwrite the
 * files of a later attempt.
 */
export function attemptFolder(folder: string, job: Attempts): string {
  return folderOf(folder, attemptNumber(job));
}

/** Folders of the attempts before the current one. */
export function earlierAttemptFolders(folder: string, job: Attempts): string[] {
  return Array.from({ length: attemptNumber(job) - 1 }, (_, index) => folderOf(folder, index + 1));
}

function folderOf(folder: string, attempt: number): string {
  return `${folder}/attempt-${attempt}`;
}
