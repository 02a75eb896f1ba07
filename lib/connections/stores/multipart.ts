import { setTimeout as wait } from "node:timers/promises";
import { JobError } from "#lib/errors.ts";
import { partBytesFor } from "#lib/files/part-size.ts";
import { escapeXml } from "#lib/formats/markup/escape.ts";
import { log } from "#lib/log.ts";
import type { GuardedResponse } from "#lib/net/fetch.ts";
import type { FilePut, PutResponse } from "#lib/net/put-file.ts";
import { requireStored, requireSuccess } from "./responses.ts";
import { type SignedRequest, StoreError, type StoreFile } from "./store.ts";
import { parseXml, textNamed } from "./xml.ts";

/** Uploads to S3 in several parts: for files that are larger than one request can have. */

/** How the requests of an upload are signed. */
export interface MultipartSigner {
  create(path: string, file: Pick<StoreFile, "contentType">): Promise<SignedRequest>;
  /** `number` counts from 1. */
  part(path: string, uploadId: string, number: number): Promise<SignedRequest>;
  complete(
    path: string,
    uploadId: string,
    file: Pick<StoreFile, "overwrite">,
  ): Promise<SignedRequest>;
  abort(path: string, uploadId: string): Promise<SignedRequest>;
}

/** How requests are sent. */
export interface MultipartTransport {
  send(
    method: "POST" | "DELETE",
    request: SignedRequest & {
      readonly body?: string;
      readonly timeoutMs?: number;
      /** In place of the signal of the store. */
      readonly signal?: AbortSignal;
    },
  ): Promise<GuardedResponse>;
  put(put: FilePut): Promise<PutResponse>;
}

/** The limits of S3. */
const maxParts = 10_000;

/** Fewer requests for a large file. A smaller one is never sent in parts. */
export const minPartBytes = 64 * 2 ** 20;

/** A part may fail this often: a large file is not sent again as a whole for one connection. */
const maxAttempts = 3;
const retryMs = 1000;

/** A store assembles the parts before it responds. */
const completeMs = 5 * 60_000;

/** A store that does not abort an upload in this time keeps its parts. */
const abortMs = 10_000;

/** The size of the parts of a file: whole MiB, at least 64 of them, and at most 10,000 parts. */
export function partSize(bytes: number): number {
  return partBytesFor(bytes, { maxParts, minBytes: minPartBytes });
}

/** The parts of a file, `end` exclusive. */
function partsOf(bytes: number, size: number) {
  const count = Math.ceil(bytes / size);
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    start: index * size,
    end: Math.min((index + 1) * size, bytes),
  }));
}

/**
 * Sends a file in parts. Resolves with the response that has stored it, or with that of a store that has a file with
 * this path which must not be replaced. What a failure leaves is removed, and what an earlier attempt has left. Throws
 * `JobError` `export_failed`, and `StoreError`.
 */
export async function putInParts(
  file: StoreFile,
  signer: MultipartSigner,
  transport: MultipartTransport,
  partBytes = partSize(file.bytes),
): Promise<{ readonly status: number; readonly etag: string | null }> {
  const { path, upload } = file;
  const left = await upload?.read();
  if (left !== undefined) await abortUpload(path, left, signer, transport);
  const created = await transport.send("POST", await signer.create(path, file));
  requireSuccess(created, "the upload");
  const uploadId = textNamed(parseXml(created.bodyStart), "UploadId");
  if (!uploadId) throw noUpload();
  try {
    await upload?.write(uploadId);
    const etags: string[] = [];
    for (const part of partsOf(file.bytes, partBytes)) {
      etags.push(await putPart(file, uploadId, part, signer, transport));
    }
    const request = await signer.complete(path, uploadId, file);
    const body = completeBody(etags);
    const sent = { ...request, body, timeoutMs: completeMs };
    const completed = readCompleted(await transport.send("POST", sent), file);
    // The store has a file that must not be replaced: it keeps the parts.
    if (completed.status >= 400) await abortUpload(path, uploadId, signer, transport);
    await upload?.clear();
    return completed;
  } catch (error) {
    await abortUpload(path, uploadId, signer, transport);
    await upload?.clear();
    throw error;
  }
}

/** Never fails: a store may not permit it. It has a deadline of its own, because a job that was stopped has left parts. */
export async function abortUpload(
  path: string,
  uploadId: string,
  signer: Pick<MultipartSigner, "abort">,
  transport: Pick<MultipartTransport, "send">,
): Promise<void> {
  try {
    const request = await signer.abort(path, uploadId);
    const signal = AbortSignal.timeout(abortMs);
    const { status } = await transport.send("DELETE", { ...request, timeoutMs: abortMs, signal });
    if (status !== 404 && status >= 300) log.warn({ status }, "upload in parts not aborted");
  } catch (error) {
    log.warn({ err: error }, "upload in parts not aborted");
  }
}

async function putPart(
  { path, open, signal, onProgress }: StoreFile,
  uploadId: string,
  { number, start, end }: ReturnType<typeof partsOf>[number],
  signer: MultipartSigner,
  transport: MultipartTransport,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      const sent = await transport.put({
        ...(await signer.part(path, uploadId, number)),
        bytes: end - start,
        open: () => open({ start, end }),
        signal,
        onProgress: (bytes) => onProgress(start + bytes),
      });
      requireStored(sent);
      if (sent.etag === null) throw noUpload();
      return sent.etag;
    } catch (error) {
      if (attempt === maxAttempts || !isTemporary(error)) throw error;
      await wait(retryMs * attempt, undefined, { signal });
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof StoreError) return !error.isPermanent;
  return error instanceof JobError && error.fault === "store";
}

function completeBody(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>&quot;${escapeXml(etag)}&quot;</ETag></Part>`,
  );
  return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
}

/** A store may fail after it has sent the status of success. */
function readCompleted(response: GuardedResponse, { overwrite }: Pick<StoreFile, "overwrite">) {
  const { status, bodyStart } = response;
  if (/<Error[\s>]/.test(bodyStart) && status < 300) {
    requireSuccess({ ...response, status: 500 }, "the file");
  }
  if (!overwrite && (status === 409 || status === 412)) return { status, etag: null };
  requireSuccess(response, "the file");
  const etag = textNamed(parseXml(bodyStart.trim()), "ETag")?.replaceAll('"', "");
  return { status, etag: etag ?? null };
}

function noUpload(): StoreError {
  const message = "The store does not support uploads in several parts.";
  return new StoreError(message, { isPermanent: true });
}
