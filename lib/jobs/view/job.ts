import type { JobOutput, JobRow, JobStatus } from "#lib/db/schema/jobs.ts";
import type { JobErrorCode } from "#lib/errors.ts";
import { signOutput } from "./links.ts";

/** A job as clients see it: contract field names, times in RFC 3339 UTC. */
export interface Job {
  readonly id: string;
  readonly status: JobStatus;
  readonly operation: string;
  readonly params: Record<string, unknown>;
  readonly progress: number;
  readonly input: {
    readonly filename: string | null;
    readonly content_type: string | null;
    readonly bytes: number | null;
    readonly url: string | null;
  };
  readonly outputs: readonly JobOutputView[];
  readonly result: Record<string, unknown> | null;
  readonly error: string | null;
  readonly error_code: JobErrorCode | null;
  readonly metadata: Record<string, string>;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

export interface JobOutputView {
  readonly filename: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly url: string;
  readonly expires_at: string;
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly pages?: number;
}

/** The job as clients see it, its outputs' addresses freshly signed. */
export function serializeJob(row: JobRow): Job {
  return {
    id: row.id,
    status: row.status,
    operation: row.operation,
    params: row.params,
    progress: Math.round(row.progress * 10) / 10,
    input: {
      filename: row.input.filename,
      content_type: row.input.contentType,
      bytes: row.input.bytes,
      url: row.input.url,
    },
    outputs: row.filesDeletedAt
      ? []
      : row.outputs.map((output, index) => describeOutput(row, output, index)),
    result: row.result,
    error: row.error,
    error_code: row.errorCode,
    metadata: row.metadata,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    completed_at: row.completedAt?.toISOString() ?? null,
  };
}

function describeOutput(row: JobRow, output: JobOutput, index: number): JobOutputView {
  const { filename, contentType, bytes, key: _key, sha256: _sha256, ...dimensions } = output;
  const { url, expiresAt } = signOutput(row.id, index, output, row.expiresAt);
  const expires_at = expiresAt.toISOString();
  return { filename, content_type: contentType, bytes, url, expires_at, ...dimensions };
}
