import type { JobSummaryRow } from "#lib/db/queries/jobs/summaries.ts";
import type { JobStatus } from "#lib/db/schema/jobs.ts";
import type { JobErrorCode } from "#lib/errors.ts";

/** A job as lists show it. Small, plain JSON; times in RFC 3339 UTC. */
export interface JobSummary {
  readonly id: string;
  readonly operation: string;
  readonly status: JobStatus;
  /** The progress from 0 to 100, which never falls. */
  readonly progress: number;
  /** The input's file name, or its URL if it has none. */
  readonly input: string | null;
  readonly inputBytes: number | null;
  readonly error: string | null;
  readonly errorCode: JobErrorCode | null;
  /** The number of its warnings. */
  readonly warnings: number;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

export function serializeJobSummary(row: JobSummaryRow): JobSummary {
  const { id, operation, status, error, errorCode, warnings } = row;
  return {
    id,
    operation,
    status,
    progress: Math.round(row.progress * 10) / 10,
    input: row.input.filename ?? row.input.url,
    inputBytes: row.input.bytes,
    error,
    errorCode,
    warnings,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
