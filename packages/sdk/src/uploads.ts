import { ApiError } from "./errors.ts";
import { type LocalFile, type ResolvedFile, withProgress } from "./files.ts";
import { type Http, randomKey } from "./http.ts";
import { resumableBytes, uploadResumable } from "./resumable.ts";
import type { Account, Progress, PutUpload, Upload } from "./types.ts";
import { readUpload } from "./upload-state.ts";

interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
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
  { signal, onProgress }: UploadOptions = {},
): Promise<Upload> {
  const { blob, filename } = file;
  const onPercent = (percent: number) => onProgress?.({ phase: "upload", percent });
  if (blob.size >= resumableBytes) {
    const resumed = await uploadResumable(http, file, { signal, onPercent });
    if (resumed) return resumed;
  }
  const created = await http.json<PutUpload>("/v1/uploads", {
    method: "POST",
    signal,
    headers: { "Content-Type": "application/json", ...randomKey() },
    body: () => JSON.stringify({ filename, bytes: blob.size }),
  });
  // Browsers send a stream over HTTP/2 only, and do not know its length.
  const canStream = onProgress && !("document" in globalThis);
  try {
    const response = await http.send(created.url, {
      method: created.method,
      signal,
      timeout: 3_600_000,
      headers: {
        ...created.headers,
        ...(canStream ? { "Content-Length": String(blob.size) } : {}),
      },
      body: () => (canStream ? withProgress(blob, onPercent) : blob),
    });
    await response.body?.cancel();
  } catch (error) {
    if (!(await hasArrived(http, created.id, error, signal))) throw error;
  }
  onPercent(100);
  return created;
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
