/** Statuses and stages of a job. In a separate file, because pages use them without the table. */

export const jobStatuses = ["pending", "processing", "completed", "failed", "cancelled"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Statuses that a job never leaves. */
export const finalStatuses = ["completed", "failed", "cancelled"] as const satisfies JobStatus[];
export type FinalStatus = (typeof finalStatuses)[number];

export const unfinishedStatuses = jobStatuses.filter((status) => !isFinalStatus(status));

export function isFinalStatus(status: JobStatus): status is FinalStatus {
  return finalStatuses.some((final) => final === status);
}

/**
 * `fetch`: files are still to be fetched, or outputs to be exported, which uses no engine slot. `run`: the job
 * waits for an engine, or runs.
 */
export const jobStages = ["fetch", "run"] as const;
export type JobStage = (typeof jobStages)[number];
