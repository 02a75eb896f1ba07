import { ApiError, ConnectionError, TimeoutError } from "./errors.ts";
import { type LocalFile, withProgress } from "./files.ts";
import { type Http, sleep } from "./http.ts";
import type { Account, Upload } from "./types.ts";
import { createUpload, type Part, readUpload, type UploadState } from "./upload-state.ts";

/** Files from this size on go on after a lost connection. */
export const resumableBytes = 50_000_000;

/** How much a browser sends at once: there, a body cannot be a stream. */
const chunkBytes = 8 * 2 ** 20;

/** The parts that are sent at the same time. */
const concurrentParts = 3;

/** After so many failures without a byte that arrived, with breaks of up to 8 s, the upload is given up. */
const maxFailures = 12;

interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** The idempotency key of the upload; by default a random one. */
  readonly key?: string | undefined;
  readonly onPercent: (percent: number) => void;
}

/**
 * Uploads a file so that a lost connection costs little, and goes on with what an earlier process has sent of it,
 * if the client has a store for that. Undefined if the service takes only whole files.
 */
export async function uploadResumable(
  http: Http,
  file: LocalFile,
  options: SendOptions,
): Promise<Upload | undefined> {
  const { key: ownKey } = options;
  // With a key of the caller, the service knows what an earlier process has sent.
  const key = ownKey ? undefined : file.fingerprint && `${http.baseUrl} ${file.fingerprint}`;
  const upload =
    (key && (await findEarlier(http, key, file))) || (await createResumable(http, file, options));
  if (!upload) return undefined;
  if (key) await http.uploadStore?.set(key, upload.id);
  if (upload.status !== "complete") {
    if (upload.parts) await sendParts(http, file.blob, upload, options);
    else await sendByTus(http, file.blob, upload.url ?? "", options);
  }
  if (key) await http.uploadStore?.delete(key);
  options.onPercent(100);
  return { id: upload.id, expires_at: upload.expires_at };
}

/** What an earlier process has begun, unless it is gone. */
async function findEarlier(
  http: Http,
  key: string,
  { blob }: LocalFile,
): Promise<UploadState | undefined> {
  const id = await http.uploadStore?.get(key);
  if (id === undefined) return undefined;
  const found = await readUpload(http, id);
  if (found?.bytes === blob.size && found.status !== "expired") return found;
  await http.uploadStore?.delete(key);
  return undefined;
}

/** What the account says of uploads. A browser token may not read the account. */
async function readAccount(
  http: Http,
  signal: AbortSignal | undefined,
): Promise<Pick<Account, "uploads">> {
  try {
    return await http.json<Account>("/v1/account", { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return {};
    throw error;
  }
}

async function createResumable(
  http: Http,
  { blob, filename }: LocalFile,
  { signal, key }: SendOptions,
): Promise<UploadState | undefined> {
  // Parts go to an object store itself, past the limits of the host.
  const { uploads } = await readAccount(http, signal);
  const method = uploads?.direct ? "multipart" : "tus";
  try {
    return await createUpload(http, { filename, bytes: blob.size, method }, signal, key);
  } catch (error) {
    // An older service, or one whose storage takes no parts.
    if (error instanceof ApiError && error.code === "invalid_parameter") return undefined;
    throw error;
  }
}

/** Sends what is missing by tus 1.0, and asks for the offset after each failure. */
async function sendByTus(http: Http, blob: Blob, url: string, options: SendOptions): Promise<void> {
  const { signal, onPercent } = options;
  let offset = await readOffset(http, url, signal);
  let failures = 0;
  while (offset < blob.size) {
    const before = offset;
    try {
      offset = await sendFrom(http, blob, url, offset, options);
    } catch (error) {
      await waitAfter(error, failures, signal);
      offset = await readOffset(http, url, signal);
    }
    failures = offset > before ? 0 : failures + 1;
    onPercent(percentOf(offset, blob.size));
  }
}

/** Sends the rest of a file, or in a browser a piece of it. Resolves with the new offset. */
async function sendFrom(
  http: Http,
  blob: Blob,
  url: string,
  offset: number,
  { signal, onPercent }: SendOptions,
): Promise<number> {
  // Browsers send a stream over HTTP/2 only, and do not know its length.
  const canStream = !("document" in globalThis);
  const piece = blob.slice(offset, canStream ? blob.size : offset + chunkBytes);
  const report = (percent: number) =>
    onPercent(percentOf(offset + (percent / 100) * piece.size, blob.size));
  const response = await http.send(url, {
    method: "PATCH",
    signal,
    isSingle: true,
    timeout: 86_400_000,
    headers: {
      "Tus-Resumable": "1.0.0",
      "Upload-Offset": String(offset),
      "Content-Type": "application/offset+octet-stream",
      ...(canStream ? { "Content-Length": String(piece.size) } : {}),
    },
    body: () => (canStream ? withProgress(piece, report) : piece),
  });
  return Number(response.headers.get("upload-offset"));
}

async function readOffset(
  http: Http,
  url: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let failures = 0; ; failures++) {
    try {
      const headers = { "Tus-Resumable": "1.0.0" };
      const response = await http.send(url, { method: "HEAD", headers, signal, isSingle: true });
      return Number(response.headers.get("upload-offset"));
    } catch (error) {
      await waitAfter(error, failures, signal);
    }
  }
}

/** Sends the missing parts, some at the same time, and completes the upload. */
async function sendParts(
  http: Http,
  blob: Blob,
  upload: UploadState,
  { signal, onPercent }: SendOptions,
): Promise<void> {
  const { parts = [], part_bytes = 1, complete_url = "" } = upload;
  const bytesOf = ({ number }: Part) => blob.slice((number - 1) * part_bytes, number * part_bytes);
  let sent = blob.size - parts.reduce((sum, part) => sum + bytesOf(part).size, 0);
  const queue = parts.values();
  const work = async () => {
    for (const part of queue) {
      const body = bytesOf(part);
      await persist(signal, () =>
        http.send(part.url, {
          method: "PUT",
          signal,
          isSingle: true,
          timeout: 3_600_000,
          body: () => body,
        }),
      );
      sent += body.size;
      onPercent(percentOf(sent, blob.size));
    }
  };
  await Promise.all(Array.from({ length: concurrentParts }, work));
  await persist(signal, () => http.send(complete_url, { method: "POST", signal, isSingle: true }));
}

/** Sends a request until it succeeds, or too often. */
async function persist(
  signal: AbortSignal | undefined,
  send: () => Promise<Response>,
): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      await (await send()).body?.cancel();
      return;
    } catch (error) {
      await waitAfter(error, failures, signal);
    }
  }
}

/** Waits for the next attempt. Throws the error if there is none, or if another attempt would not help. */
async function waitAfter(
  error: unknown,
  failures: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  if (failures >= maxFailures || !canPass(error)) throw error;
  await sleep(Math.min(8000, 300 * 2 ** failures), signal);
}

function canPass(error: unknown): boolean {
  if (error instanceof ApiError) {
    return [408, 409, 423, 429, 460].includes(error.status) || error.status >= 500;
  }
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

const percentOf = (sent: number, total: number) => Math.round((1000 * sent) / total) / 10;
