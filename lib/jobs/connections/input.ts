import { basename } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseFileReference } from "#lib/connections/file-reference.ts";
import { connectionNetworkFor } from "#lib/connections/network.ts";
import { toStoreError } from "#lib/connections/stores/http-store.ts";
import { StoreError } from "#lib/connections/stores/store.ts";
import { type OpenedConnection, withConnection } from "#lib/connections/use-connection.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { JobError } from "#lib/errors.ts";
import type { FetchedFile, FileRequest } from "#lib/net/fetch.ts";
import { requestedSteps } from "../steps.ts";

/** Inputs that are files in connections of the job's account. */

type InputJob = Pick<JobRow, "accountId" | "operation" | "params" | "plan">;

/** How a file is requested over HTTP. */
export interface LocatedInput {
  readonly url: string;
  /** Credentials, only for the host of the URL. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether the URL of a source is a file in a connection. */
export function isInConnection(url: string): boolean {
  return parseFileReference(url) !== undefined;
}

/** The name of a file in a connection. */
export function nameOfReference(reference: string): string {
  return basename(reference);
}

/**
 * How a file in a connection is requested; undefined if its store has no HTTP. Throws `JobError` `fetch_failed` if the
 * connection cannot be used.
 */
export function locateInput(
  job: InputJob,
  reference: string,
  signal: AbortSignal,
): Promise<LocatedInput | undefined> {
  return withInput(job, reference, signal, async ({ store, at }, path) => store.sign?.(at(path)));
}

const attempts = 3;
const retryMs = 500;

/** A status with which a store says that the same request will fail again. */
const permanentStatus = /status 4(?!08|25|29)\d\d/;

/** Fetches a file in a connection as a whole, in three attempts. Throws like `fetchToFile`. */
export async function fetchInput(
  job: InputJob,
  reference: string,
  request: FileRequest,
): Promise<FetchedFile> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withInput(job, reference, request.signal, async ({ store, at }, path) => ({
        ...(await store.receive(at(path), request)),
        filename: basename(path),
      }));
    } catch (error) {
      if (attempt === attempts || !isTemporary(error)) throw error;
      await wait(retryMs * attempt, undefined, { signal: request.signal });
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof JobError) || error.code !== "fetch_failed") return false;
  if (error.cause instanceof StoreError) return !error.cause.isPermanent;
  return !permanentStatus.test(error.message);
}

async function withInput<Result>(
  job: InputJob,
  reference: string,
  signal: AbortSignal,
  work: (opened: OpenedConnection, path: string) => Promise<Result>,
): Promise<Result> {
  const parsed = parseFileReference(reference);
  if (!parsed) throw new Error("no file in a connection");
  const { connectionId, path } = parsed;
  const operations = requestedSteps(job).map(({ type }) => type);
  const use = { accountId: job.accountId, connectionId, operations, access: "read" } as const;
  const context = { network: connectionNetworkFor(job.plan), signal };
  try {
    return await withConnection(use, context, (opened) => work(opened, path));
  } catch (error) {
    throw toInputError(error);
  }
}

/** The error of a job whose store refuses the file. */
function toInputError(error: unknown): unknown {
  const found =
    error instanceof JobError && error.code === "address_refused" ? toStoreError(error) : error;
  if (!(found instanceof StoreError)) return found;
  return new JobError("fetch_failed", found.message, { cause: error });
}
