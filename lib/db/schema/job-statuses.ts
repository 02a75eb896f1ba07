/** The states of a job; the last three are final. Apart from the table, so that pages may list them. */
export const jobStatuses = ["pending", "processing", "completed", "failed", "cancelled"] as const;

export type JobStatus = (typeof jobStatuses)[number];
