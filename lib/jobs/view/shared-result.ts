import type { ShareRow } from "#lib/db/schema/dashboard/shares.ts";
import type { JobOutput, JobRow, StoredSource } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { withoutSecrets } from "../secret-parameters.ts";
import type { RequestedStep } from "../secrets.ts";
import { inputIndexOf } from "../sources.ts";
import { requestedSteps } from "../steps.ts";
import { hasFiles } from "./has-files.ts";

/** A file of a shared result. Width and height in pixels, duration in seconds. */
export interface SharedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  /** A path on this host, which needs no key or session. */
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly pages?: number;
}

/**
 * What the page of a share shows. It has nothing of the account: no ids, keys, source URLs, webhook and metadata, no
 * names of files and no secret parameters.
 */
export interface SharedResult {
  /** Null for the name of the operation. */
  readonly title: string | null;
  /** The operation of the job; `chain` for several. */
  readonly operation: string;
  readonly steps: readonly RequestedStep[];
  /** How many input files the job had, and the parts of further ones, such as `watermark`. */
  readonly inputs: number;
  readonly parts: readonly string[];
  /** The names of the parameters that are left out because they are secret. */
  readonly hiddenParams: readonly string[];
  /** Undefined if the share does not have it. */
  readonly input: SharedFile | undefined;
  readonly inputBytes: number | null;
  readonly outputs: readonly SharedFile[];
  /** How long an engine worked, in milliseconds; null if it is not known. */
  readonly engineMs: number | null;
  readonly expiresAt: Date;
}

/** Which file of a shared result. */
export type SharedSide = "input" | "output";

/** The URL of a share's page. */
export function shareUrl({ token }: Pick<ShareRow, "token">): string {
  return `${env.APP_URL}/r/${token}`;
}

/** The share as its page shows it; undefined once the job's files are deleted. */
export function serializeSharedResult(share: ShareRow, job: JobRow): SharedResult | undefined {
  if (job.status !== "completed" || !hasFiles(job)) return undefined;
  const { steps, hidden } = withoutSecrets(requestedSteps(job));
  const input = sharedFile(share, job, "input", 0);
  const parts = Object.keys(job.parts);
  const furtherParts = parts.filter((part) => inputIndexOf(part) === undefined);
  const outputs = job.outputs.flatMap((_, index) => {
    const file = sharedFile(share, job, "output", index);
    return file ? toSharedFile(share, "output", index, file) : [];
  });
  return {
    title: share.title,
    operation: job.operation,
    inputs: job.source.kind === "none" ? 0 : 1 + parts.length - furtherParts.length,
    parts: furtherParts,
    steps: steps.map(({ type, params }) => ({ type, params: withoutUrls(params) })),
    hiddenParams: hidden,
    input: input && toSharedFile(share, "input", 0, input),
    inputBytes: job.input.bytes,
    outputs,
    engineMs:
      job.engineStartedAt && job.engineEndedAt
        ? job.engineEndedAt.getTime() - job.engineStartedAt.getTime()
        : null,
    expiresAt: share.expiresAt,
  };
}

/** A stored file of a share with its public name. Undefined if the share does not have it. */
export function sharedFile(
  share: Pick<ShareRow, "filename" | "withInput">,
  job: Pick<JobRow, "source" | "outputs">,
  side: SharedSide,
  index: number,
): JobOutput | undefined {
  if (side === "output") {
    const output = job.outputs[index];
    const number = job.outputs.length > 1 ? `-${index + 1}` : "";
    return (
      output && {
        ...output,
        filename: `${share.filename ?? "result"}${number}${extensionOf(output.filename)}`,
      }
    );
  }
  if (index !== 0 || !share.withInput || job.source.kind !== "stored") return undefined;
  const { key, contentType, bytes, filename }: StoredSource = job.source;
  const name = share.filename === null ? "original" : `${share.filename}-original`;
  return { key, contentType, bytes, filename: `${name}${extensionOf(filename)}` };
}

function toSharedFile(
  { token }: Pick<ShareRow, "token">,
  side: SharedSide,
  index: number,
  { key: _key, ...file }: JobOutput,
): SharedFile {
  const url = `/files/r/${token}/${side}/${index}/${encodeURIComponent(file.filename)}`;
  return { ...file, url };
}

/** The extension of a file name with its period; empty if it has none. */
function extensionOf(filename: string): string {
  return /\.[A-Za-z0-9]{1,10}$/.exec(filename)?.[0].toLowerCase() ?? "";
}

/** A URL may name a private place, so that each is replaced. */
const placeholderUrl = "https://example.com/";

/** The parameters with a placeholder for every URL, at any depth. */
function withoutUrls(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const clean = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]*/gi, placeholderUrl);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, clean(one)]));
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, clean(value)]));
}
