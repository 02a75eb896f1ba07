import { dirname } from "node:path";
import { requireStored } from "#lib/connections/stores/responses.ts";
import type { ExportedFile, JobOutput, JobRow, UnexportedResult } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import { putFile } from "#lib/net/put-file.ts";
import { withoutQuery } from "#lib/net/redact-url.ts";
import { storage } from "#lib/storage/index.ts";
import { abortStartedUploads } from "../connections/abort-uploads.ts";
import { type ExportOptions, exportToConnection } from "../connections/output.ts";
import { type ExportTarget, revealTarget } from "../secrets.ts";
import type { ClaimedJob } from "./claim/claimed-job.ts";
import { exportNetworkFor } from "./claim/networks.ts";
import type { HeldJob } from "./lease.ts";

/** A result whose outputs are where the request says. */
export interface ExportedResult {
  readonly result: UnexportedResult;
  readonly outputs: JobOutput[];
}

/**
 * Sends the outputs of a job to its target, one after the other. Resolves once the store has confirmed all of them.
 * Sending a file again replaces it. Throws `export_failed`.
 */
export async function exportOutputs(
  { job }: ClaimedJob,
  result: UnexportedResult,
  { signal, progress }: HeldJob,
): Promise<ExportedResult> {
  const target = revealTarget(job);
  if (!target) throw new Error(`job ${job.id} has no target`);
  const total = result.outputs.reduce((sum, { bytes }) => sum + bytes, 0);
  const before = (index: number) =>
    result.outputs.slice(0, index).reduce((sum, { bytes }) => sum + bytes, 0);
  const optionsFor = (index: number): ExportOptions => ({
    signal,
    onProgress: (bytes) => progress((100 * (before(index) + bytes)) / Math.max(total, 1)),
  });
  const exported = await (target.connection
    ? exportToConnection(job, target.connection, result.outputs, optionsFor)
    : exportToUrls(job, target, result.outputs, optionsFor));
  const outputs = result.outputs.map((output, index) => ({
    ...output,
    ...(exported[index] && { exported: exported[index] }),
    ...(target.keep ? {} : { isRemoved: true as const }),
  }));
  return { result, outputs };
}

async function exportToUrls(
  job: JobRow,
  target: ExportTarget,
  outputs: readonly JobOutput[],
  optionsFor: (index: number) => ExportOptions,
): Promise<ExportedFile[]> {
  requireUrls(target, outputs);
  const exported: ExportedFile[] = [];
  for (const [index, output] of outputs.entries()) {
    exported.push(await exportFile(job, target, index, output, optionsFor(index)));
  }
  return exported;
}

/** Removes what a job has made and was not, or is no longer, to be kept here, and what was sent of it in parts. */
export async function removeUnexported(job: JobRow): Promise<void> {
  const { unexported, target } = job;
  if (unexported && target?.connection) {
    await abortStartedUploads(job, target.connection, unexported.outputs);
  }
  const folders = new Set(unexported?.outputs.map(({ key }) => dirname(key)));
  for (const folder of folders) await storage().removeAll(folder);
}

function requireUrls({ urls }: ExportTarget, outputs: readonly JobOutput[]): void {
  if (urls.length === outputs.length) return;
  const made = outputs.length === 0 ? "no file" : countOf(outputs.length, "file");
  const message = `The operation made ${made}, but \`output\` has ${countOf(urls.length, "URL")}. Send one URL for each file, in order, as \`urls\`.`;
  throw new JobError("export_failed", message, { isPermanent: true });
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

async function exportFile(
  job: JobRow,
  target: ExportTarget,
  index: number,
  output: JobOutput,
  options: ExportOptions,
): Promise<ExportedFile> {
  const url = target.urls[index] ?? "";
  const { key, bytes } = output;
  const put = {
    url,
    headers: headersFor(url, target.headers, output.contentType),
    bytes,
    open: () => storage().read(key),
    ...options,
  };
  const response = await putFile(put, exportNetworkFor(job.plan)).catch((error: unknown) => {
    throw toExportError(error);
  });
  requireStored(response);
  return { url: withoutQuery(url), etag: response.etag, bytes };
}

/** Signatures of the second version cover the type, so that a header that was not signed makes them invalid. */
const signsType = (url: string) => /[?&](?:AWSAccessKeyId|GoogleAccessId)=/.test(url);

function headersFor(
  url: string,
  given: ExportTarget["headers"],
  contentType: string,
): Record<string, string> {
  const hasType = Object.keys(given).some((name) => name.toLowerCase() === "content-type");
  if (hasType || signsType(url)) return { ...given };
  return { ...given, "Content-Type": contentType };
}

function toExportError(error: unknown): unknown {
  if (!(error instanceof JobError)) return error;
  const isPermanent = error.code === "address_refused";
  const message = isPermanent
    ? "The URL of `output` is not allowed: its host must be public."
    : `The file could not be sent: ${error.message}`;
  return new JobError("export_failed", message, { cause: error, isPermanent });
}
