import { setTimeout as wait } from "node:timers/promises";
import { db } from "#lib/db/client.ts";
import {
  acquirePartWriter,
  type PartOf,
  releasePartWriter,
  renewPartWriter,
} from "#lib/db/queries/files/part-writers.ts";
import {
  acquireWriter,
  releaseWriter,
  renewWriter,
  type WriterState,
  writerLeaseSeconds,
} from "#lib/db/queries/files/upload-writers.ts";
import { RequestError } from "#lib/errors.ts";
import { createToken } from "#lib/ids.ts";
import { log } from "#lib/log.ts";

/** How often a writer reports that it is alive, in milliseconds. */
const renewMs = 1000;

/** How often a request asks whether the upload has become free, in milliseconds. */
const pollMs = 100;

/** Longer than a dead writer keeps the upload. */
const maxWaitMs = (writerLeaseSeconds + 5) * 1000;

/** The one request that writes to the file of an upload, or to a part of it, at a time. */
export interface UploadWriter {
  readonly token: string;
  /** Aborted when another request waits, or has taken over; its reason is the error of this request. */
  readonly signal: AbortSignal;
}

type Work<Result> = (writer: UploadWriter) => Promise<Result>;

/** What a token is the writer of: an upload, or one of its parts. */
interface WriterLock {
  readonly uploadId: string;
  readonly acquire: (token: string) => Promise<boolean>;
  readonly renew: (token: string) => Promise<WriterState>;
  readonly release: (token: string) => Promise<void>;
}

/**
 * Does `work` as the upload's writer. A writer that is alive is asked to end, and one that is dead loses the
 * upload after `writerLeaseSeconds`. Throws `locked` if the upload does not become free.
 */
export function withUploadWriter<Result>(id: string, work: Work<Result>): Promise<Result> {
  const lock: WriterLock = {
    uploadId: id,
    acquire: (token) => acquireWriter(db(), id, token),
    renew: (token) => renewWriter(db(), id, token),
    release: (token) => releaseWriter(db(), id, token),
  };
  return withWriter(lock, work);
}

/** Does `work` as the writer of one part of an upload. Otherwise as `withUploadWriter`. */
export function withPartWriter<Result>(part: PartOf, work: Work<Result>): Promise<Result> {
  const lock: WriterLock = {
    uploadId: part.uploadId,
    acquire: (token) => acquirePartWriter(db(), part, token),
    renew: (token) => renewPartWriter(db(), part, token),
    release: (token) => releasePartWriter(db(), part, token),
  };
  return withWriter(lock, work);
}

async function withWriter<Result>(lock: WriterLock, work: Work<Result>): Promise<Result> {
  const token = createToken();
  await acquire(lock, token);
  const stopping = new AbortController();
  const timer = setInterval(() => void renew(lock, token, stopping), renewMs);
  try {
    return await work({ token, signal: stopping.signal });
  } finally {
    clearInterval(timer);
    await lock.release(token);
  }
}

async function acquire(lock: WriterLock, token: string): Promise<void> {
  const until = Date.now() + maxWaitMs;
  while (!(await lock.acquire(token))) {
    if (Date.now() > until) throw lockedUpload();
    await wait(pollMs);
  }
}

/** A failure of the database is left to the next renewal, and to what the work does with the database. */
async function renew(lock: WriterLock, token: string, stopping: AbortController): Promise<void> {
  try {
    if ((await lock.renew(token)) !== "continue") stopping.abort(lockedUpload());
  } catch (err) {
    log.warn({ err, upload: lock.uploadId }, "writer of an upload not renewed");
  }
}

export function lockedUpload(): RequestError {
  const message = "Another request writes to this upload. Read its offset and try again.";
  return new RequestError("locked", message, { headers: { "Retry-After": "1" } });
}
