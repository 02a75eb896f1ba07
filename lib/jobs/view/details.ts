import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { redactUrl } from "#lib/net/redact-url.ts";
import { type Job, serializeJob } from "./job.ts";
import { signInput } from "./links.ts";
import { type JobPhase, phasesOf } from "./phases.ts";

/** A file that a job read. */
export interface JobInputFile {
  /** `file`, or the name of a further part such as `watermark`. */
  readonly part: string;
  /** Null until it is known. */
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  /** The address it was given by, as far as it may be shown. */
  readonly address: string | null;
  /** Where its bytes can be read, a path; null where they are not stored. */
  readonly url: string | null;
}

/** What the pages of its owner show of a job. Plain JSON; times in RFC 3339 UTC. */
export interface JobDetails {
  /** As the API tells it, its outputs' addresses as paths. */
  readonly job: Job;
  readonly inputs: readonly JobInputFile[];
  readonly phases: readonly JobPhase[];
  readonly attempts: number;
  /** When the files are deleted; null until the job has ended. */
  readonly expiresAt: string | null;
  readonly hasFiles: boolean;
  readonly webhookUrl: string | null;
}

export function serializeJobDetails(row: JobRow): JobDetails {
  const job = serializeJob(row);
  return {
    job: { ...job, outputs: job.outputs.map((output) => ({ ...output, url: toPath(output.url) })) },
    inputs: [
      describeInput(row, "file", row.source),
      ...Object.entries(row.parts).map(([part, source]) => describeInput(row, part, source)),
    ],
    phases: phasesOf(row),
    attempts: row.attempts,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    hasFiles: hasFiles(row),
    webhookUrl: row.webhookUrl,
  };
}

/** Whether a job's files are still kept. */
export function hasFiles({ expiresAt, filesDeletedAt }: JobRow): boolean {
  return !filesDeletedAt && (expiresAt === null || expiresAt.getTime() > Date.now());
}

function describeInput(row: JobRow, part: string, source: JobSource): JobInputFile {
  const address = part === "file" ? row.input.url : source.url ? redactUrl(source.url) : null;
  if (source.kind === "url") {
    return { part, filename: null, contentType: null, bytes: null, address, url: null };
  }
  const { filename, contentType, bytes } = source;
  const url = hasFiles(row) ? signInput(row.id, part, source, row.expiresAt) : null;
  return { part, filename, contentType, bytes, address, url };
}

/** The pages may be read under another name than `APP_URL`, and ask no other host for anything. */
function toPath(url: string): string {
  return url.slice(env.APP_URL.length);
}
