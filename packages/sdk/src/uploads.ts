import { ApiError } from "./errors.ts";
import { type LocalFile, type ResolvedFile, withProgress } from "./files.ts";
import type { Http } from "./http.ts";
import { resumableBytes, uploadResumable } from "./resumable.ts";
import type { Account, Progress, Upload } from "./types.ts";
import { createUpload, deriveKey, readUpload, type UploadState } from "./upload-state.ts";

interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The idempotency key of the upload; by default a random one. */
  readonly key?: string | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Larger files are uploaded first in any case: a form would have to be sent again from its start. */
const maxFormBytes = 32 * 2 ** 20;

/** Every host takes forms of this size. */
const smallFormBytes = 1_000_000;

/** The limits of services by their clients. Each is asked for once. */
const limits = new WeakMap<Http, Promise<number>>();

/** Whether files of so many bytes together are uploaded before the job is created. */
export async function isTooLargeForForm(
  http: Http,
  bytes: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (bytes <= smallFormBytes || bytes > maxFormBytes) return bytes > maxFormBytes;
  const limit = limits.get(http) ?? readLimit(http);
  limits.set(http, limit);
  // The request is shared: it goes on if this call is aborted.
  const found = await limit;
  signal?.throwIfAborted();
  return bytes > found;
}

/** What a form may have on the service's host. An older service does not say it. */
async function readLimit(http: Http): Promise<number> {
  try {
    const { uploads } = await http.json<Account>("/v1/account");
    return Math.min(uploads?.form_bytes ?? maxFormBytes, maxFormBytes);
  } catch {
    // The request for the job says what is wrong. The next one asks again.
    limits.delete(http);
    return maxFormBytes;
  }
}

/**
 * Whether a form was refused by the host in front of the service, not by the service. All later files above
 * `smallFormBytes` are then uploaded.
 */
export function isRefusedByHost(http: Http, error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 413 || error.code !== "unknown")
    return false;
  limits.set(http, Promise.resolve(smallFormBytes));
  return true;
}

/**
 * Idempotency keys for the uploads of a job, by the index or the part of its files: the same as those of an earlier call
 * with the same key and files. None without a key of the caller.
 */
export async function deriveKeys(
  callerKey: string | undefined,
  files: Iterable<readonly [name: string | number, file: ResolvedFile]>,
): Promise<ReadonlyMap<string | number, string>> {
  const keys = new Map<string | number, string>();
  if (callerKey === undefined) return keys;
  // One after the other, because content is hashed in memory.
  for (const [name, file] of files) {
    if ("url" in file) continue;
    const { blob, filename, fingerprint } = file;
    // The fingerprint of large content stands for it.
    const content = blob.size < resumableBytes ? blob : fingerprint;
    if (content !== undefined)
      keys.set(name, await deriveKey([callerKey, name, filename], content));
  }
  return keys;
}

/** The file as an upload, unless it is a URL. */
export async function uploaded(
  http: Http,
  file: ResolvedFile,
  options: UploadOptions,
): Promise<ResolvedFile> {
  return "url" in file ? file : { url: (await upload(http, file, options)).id };
}

/** Uploads a file for later jobs. A large one goes on after a lost connection. */
export async function upload(
  http: Http,
  file: LocalFile,
  { signal, onProgress, key }: UploadOptions = {},
): Promise<Upload> {
  const { blob, filename } = file;
  const onPercent = (percent: number) => onProgress?.({ phase: "upload", percent });
  if (blob.size >= resumableBytes) {
    const resumed = await uploadResumable(http, file, { signal, key, onPercent });
    if (resumed) return resumed;
  }
  const created = await createUpload(http, { filename, bytes: blob.size }, signal, key);
  if (created.status !== "complete") {
    await sendFile(http, blob, created, signal, onProgress && onPercent);
  }
  onPercent(100);
  return created;
}

/** Sends a file by one request. */
async function sendFile(
  http: Http,
  blob: Blob,
  { id, url = "", headers }: UploadState,
  signal: AbortSignal | undefined,
  onPercent: ((percent: number) => void) | undefined,
): Promise<void> {
  // Browsers send a stream over HTTP/2 only, and do not know its length.
  const report = "document" in globalThis ? undefined : onPercent;
  try {
    const response = await http.send(url, {
      method: "PUT",
      signal,
      timeout: 3_600_000,
      headers: { ...headers, ...(report ? { "Content-Length": String(blob.size) } : {}) },
      body: () => (report ? withProgress(blob, report) : blob),
    });
    await response.body?.cancel();
  } catch (error) {
    if (!(await hasArrived(http, id, error, signal))) throw error;
  }
}

/** Whether a file that was sent again is a conflict because it had arrived: the response to it was lost. */
async function hasArrived(
  http: Http,
  id: string,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!(error instanceof ApiError) || error.status !== 409) return false;
  const state = await readUpload(http, id, signal);
  return state === undefined || state.status === "complete";
}
