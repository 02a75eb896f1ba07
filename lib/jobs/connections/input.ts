import { basename } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseFileReference } from "#lib/connections/file-reference.ts";
import {
  type ConnectionRanges,
  type ConnectionReader,
  openConnectionRanges,
  withConnectionFile,
} from "#lib/connections/read-file.ts";
import { isPermanentStatus } from "#lib/connections/stores/responses.ts";
import { type SignedRequest, StoreError } from "#lib/connections/stores/store.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import type { FetchedFile, FileRequest } from "#lib/net/fetch.ts";
import { ResponseStatusError } from "#lib/net/fetch-errors.ts";
import { requestedSteps } from "../steps.ts";

/** Inputs that are files in connections of the job's account. */

type InputJob = Pick<JobRow, "accountId" | "operation" | "params" | "plan">;

/** Whether the URL of a source is a file in a connection. */
export function isInConnection(url: string): boolean {
  return parseFileReference(url) !== undefined;
}

/** The name of a file in a connection. */
export function nameOfReference(reference: string): string {
  return basename(parseFileReference(reference)?.path ?? reference);
}

/**
 * How a file in a connection is requested; undefined if its store has no HTTP. Throws `JobError` `fetch_failed` if the
 * connection cannot be used.
 */
export function locateInput(
  job: InputJob,
  reference: string,
  signal: AbortSignal,
): Promise<SignedRequest | undefined> {
  return withConnectionFile(readerOf(job), reference, signal, async (store, path) =>
    store.sign?.(path),
  );
}

/**
 * Opens a file in a connection whose store has no HTTP, in three attempts, to read parts of it; undefined for any other store. Throws
 * `JobError` `fetch_failed` if the connection cannot be used.
 */
export function openInputRanges(
  job: InputJob,
  reference: string,
  signal: AbortSignal,
): Promise<ConnectionRanges | undefined> {
  return withAttempts(signal, () => openConnectionRanges(readerOf(job), reference, signal));
}

const attempts = 3;
const retryMs = 500;

/** Fetches a file in a connection as a whole, in three attempts. Throws like `fetchToFile`. */
export function fetchInput(
  job: InputJob,
  reference: string,
  request: FileRequest,
): Promise<FetchedFile> {
  return withAttempts(request.signal, () =>
    withConnectionFile(readerOf(job), reference, request.signal, async (store, path) => ({
      ...(await store.receive(path, request)),
      filename: basename(path),
    })),
  );
}

/**
 * Opens a file in a connection by its signed request, in three attempts; undefined for a store without HTTP. Throws
 * what `open` throws, with the store's reason, and like `locateInput`.
 */
export function openInput<Opened>(
  job: InputJob,
  reference: string,
  signal: AbortSignal,
  open: (located: SignedRequest) => Promise<Opened>,
): Promise<Opened | undefined> {
  return withAttempts(signal, () =>
    withConnectionFile(readerOf(job), reference, signal, async (store, path) =>
      store.sign ? open(await store.sign(path)) : undefined,
    ),
  );
}

async function withAttempts<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !isTemporary(error)) throw error;
      await wait(retryMs * attempt, undefined, { signal });
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof JobError) || error.code !== "fetch_failed") return false;
  if (error.cause instanceof StoreError) return !error.cause.isPermanent;
  return !(error instanceof ResponseStatusError) || !isPermanentStatus(error.status);
}

function readerOf(job: InputJob): ConnectionReader {
  const operations = requestedSteps(job).map(({ type }) => type);
  return { accountId: job.accountId, plan: job.plan, operations };
}
