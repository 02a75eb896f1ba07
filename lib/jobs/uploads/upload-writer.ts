import { setTimeout as wait } from "node:timers/promises";
import { db } from "#lib/db/client.ts";
import {
  acquireWriter,
  releaseWriter,
  renewWriter,
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

/** The one request that writes to the file of an upload at a time. */
export interface UploadWriter {
  readonly token: string;
  /** Aborted when another request waits, or has taken over; its reason is the error of this request. */
  readonly signal: AbortSignal;
}

/**
 * Does `work` as the upload's writer. A writer that is alive is asked to end, and one that is dead loses the
 * upload after `writerLeaseSeconds`. Throws `locked` if the upload does not become free.
 */
export async function withUploadWriter<Result>(
  id: string,
  work: (writer: UploadWriter) => Promise<Result>,
): Promise<Result> {
  const token = createToken();
  await acquire(id, token);
  const stopping = new AbortController();
  const timer = setInterval(() => void renew(id, token, stopping), renewMs);
  try {
    return await work({ token, signal: stopping.signal });
  } finally {
    clearInterval(timer);
    await releaseWriter(db(), id, token);
  }
}

async function acquire(id: string, token: string): Promise<void> {
  const until = Date.now() + maxWaitMs;
  while (!(await acquireWriter(db(), id, token))) {
    if (Date.now() > until) throw lockedUpload();
    await wait(pollMs);
  }
}

/** A failure of the database is left to the next renewal, and to what the work does with the database. */
async function renew(id: string, token: string, stopping: AbortController): Promise<void> {
  try {
    if ((await renewWriter(db(), id, token)) !== "continue") stopping.abort(lockedUpload());
  } catch (err) {
    log.warn({ err, upload: id }, "writer of an upload not renewed");
  }
}

export function lockedUpload(): RequestError {
  const message = "Another request writes to this upload. Read its offset and try again.";
  return new RequestError("locked", message, { headers: { "Retry-After": "1" } });
}
