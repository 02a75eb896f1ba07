/** Statuses of a job. In a file of their own, because pages list them without loading the table. */
export const jobStatuses = ["pending", "processing", "completed", "failed", "cancelled"] as const;

export type JobStatus = (typeof jobStatuses)[number];

/** Statuses that a job never leaves. */
export const finalStatuses = ["completed", "failed", "cancelled"] as const satisfies JobStatus[];
