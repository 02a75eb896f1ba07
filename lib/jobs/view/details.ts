import type { JobRow, JobSource, JobTarget } from "#lib/db/schema/jobs.ts";
import { isSecretPart } from "#lib/operations/secret-values.ts";
import { chainName } from "../steps.ts";
import { hasFiles } from "./has-files.ts";
import { type Job, serializeJob } from "./job.ts";
import { signInput, signPreview } from "./links.ts";
import { shownUrl } from "./params.ts";
import { type JobPhase, phasesOf } from "./phases.ts";
import { type JobStep, serializeSteps } from "./steps.ts";

/** An input file of a job. */
export interface JobInputFile {
  /**
   * The name of the part: `file`, `file-2` and so on for several inputs, or another name such as
   * `watermark`.
   */
  readonly part: string;
  /** The name of the file; null until it is known. */
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly bytes: number | null;
  /** The URL that the client sent, without user info and query values. */
  readonly sourceUrl: string | null;
  /** The path of the download; null if the file is not stored. */
  readonly url: string | null;
}

/** A job as the dashboard shows it. Plain JSON; times in RFC 3339 UTC. */
export interface JobDetails {
  /** The job as in the API, but with paths as the outputs' URLs: the dashboard may have another host name. */
  readonly job: Job;
  readonly inputs: readonly JobInputFile[];
  readonly phases: readonly JobPhase[];
  /** The operations of a chain, with paths as the URLs of their outputs; none for any other job. */
  readonly steps: readonly JobStep[];
  readonly attempts: number;
  /** What its files loaded from the network; it counts against the plan. */
  readonly networkBytes: number;
  /** When the files are to be deleted; null until the job has ended. */
  readonly expiresAt: string | null;
  readonly hasFiles: boolean;
  /** Whether the outputs are only where the request sent them. */
  readonly isExported: boolean;
  readonly webhookUrl: string | null;
  /** The fields of the request that sent the outputs to a connection; none for another target. */
  readonly target?: TargetRequest;
}

/** Fields of a request for a connection as a target. */
export interface TargetRequest {
  readonly output?: {
    readonly connection: string;
    readonly path: string;
    readonly overwrite?: true;
  };
  readonly keep?: true;
}

/** The fields of the request for a target that is a connection; none for another one. */
export function targetRequest(target: JobTarget | null): TargetRequest {
  if (!target?.connection) return {};
  const { id, path, overwrite } = target.connection;
  return {
    output: { connection: id, path, ...(overwrite && { overwrite }) },
    ...(target.keep && { keep: true }),
  };
}

export function serializeJobDetails(row: JobRow): JobDetails {
  const job = serializeJob(row);
  const outputs = job.outputs.map((output, index) => ({
    ...output,
    url: signPreview(row.id, index, output, row.expiresAt),
  }));
  return {
    job: { ...job, outputs },
    inputs: [
      ...(row.source.kind === "none" ? [] : [serializeInput(row, "file", row.source)]),
      ...Object.entries(row.parts).map(([part, source]) => serializeInput(row, part, source)),
    ],
    phases: phasesOf(row),
    steps: row.operation === chainName ? serializeSteps(row, "") : [],
    attempts: row.attempts,
    networkBytes: row.networkBytes,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    hasFiles: hasFiles(row),
    isExported: row.outputs.some(({ isRemoved }) => isRemoved),
    webhookUrl: row.webhookUrl,
    target: targetRequest(row.target),
  };
}

function serializeInput(row: JobRow, part: string, source: JobSource): JobInputFile {
  const sourceUrl = part === "file" ? row.input.url : shownUrl(source);
  if (source.kind === "url") {
    return { part, filename: null, contentType: null, bytes: null, sourceUrl, url: null };
  }
  const { filename, contentType, bytes } = source;
  const isStored = source.kind === "stored" && hasFiles(row) && !isSecretPart(part);
  const url = isStored ? signInput(row.id, part, source, row.expiresAt) : null;
  return { part, filename, contentType, bytes, sourceUrl, url };
}
