import { dirname } from "node:path";
import type { ExportedFile, JobOutput, JobRow, UnexportedResult } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import { type PutResponse, putFile } from "#lib/net/put-file.ts";
import { redactUrl } from "#lib/net/redact-url.ts";
import { storage } from "#lib/storage/index.ts";
import { type ExportTarget, revealTarget } from "../secrets.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import type { HeldJob } from "./lease.ts";
import { exportNetworkFor } from "./networks.ts";

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
  requireUrls(target, result.outputs);
  const total = result.outputs.reduce((sum, { bytes }) => sum + bytes, 0);
  const outputs: JobOutput[] = [];
  let before = 0;
  for (const [index, output] of result.outputs.entries()) {
    const onProgress = (bytes: number) => progress((100 * (before + bytes)) / Math.max(total, 1));
    const exported = await exportFile(job, target, index, output, { signal, onProgress });
    outputs.push({ ...output, exported, ...(target.keep ? {} : { isRemoved: true }) });
    before += output.bytes;
  }
  return { result, outputs };
}

/** Removes what a job has made and was not, or is no longer, to be kept here. */
export async function removeUnexported({ unexported }: Pick<JobRow, "unexported">): Promise<void> {
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
  options: Pick<Parameters<typeof putFile>[0], "signal" | "onProgress">,
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
  return { url: redactUrl(url), etag: response.etag, bytes };
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

/** Statuses of a store that may accept the same request later. */
const temporaryStatuses = new Set([408, 425, 429]);

/** Throws `export_failed` unless the store has confirmed the file with its checksum. */
function requireStored({ status, etag, isEncrypted, md5, bodyStart }: PutResponse): void {
  if (status < 200 || status > 299) {
    const isPermanent = status < 500 && !temporaryStatuses.has(status);
    const reason = reasonOf(status, bodyStart);
    const message = `The store refused the file with status ${status}${reason}.`;
    throw new JobError("export_failed", message, { isPermanent });
  }
  // A file that was sent at once has its MD5 as ETag, unless the store encrypts it.
  const isChecksum = etag !== null && /^[0-9a-f]{32}$/i.test(etag) && !isEncrypted;
  if (!isChecksum || etag.toLowerCase() === md5) return;
  throw new JobError("export_failed", "The store has other bytes than those that were sent.");
}

const maxReasonLength = 200;

/** The code and the message of the XML that stores respond with, or the first line of a text. */
function reasonOf(status: number, body: string): string {
  if (status >= 300 && status < 400) {
    return ", a redirect to another address. Send the address that it leads to";
  }
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(body)?.[1];
  const said = /<Message>([^<]{1,500})<\/Message>/.exec(body)?.[1] ?? textOf(body);
  const reason = [code, said]
    .filter(Boolean)
    .join(": ")
    .trim()
    .replace(/[.\s]+$/, "");
  return reason && `: ${reason.slice(0, maxReasonLength)}`;
}

/** The first line of a short text; empty for markup and JSON. */
function textOf(body: string): string {
  const line = body.trim().split("\n")[0] ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not shown
  return /^[<{[]|[\u0000-\u001f\u007f]/.test(line) ? "" : line;
}
