import { JobError } from "#lib/errors.ts";
import { fetchTimeoutError } from "#lib/net/fetch-errors.ts";
import type { PlanName } from "#lib/plans.ts";
import { type FileReference, parseFileReference } from "./file-reference.ts";
import { connectionNetworkFor } from "./network.ts";
import { explainReadFailure } from "./read-faults.ts";
import { toStoreError } from "./stores/http-store.ts";
import { type Store, type StoredRanges, StoreError } from "./stores/store.ts";
import { openConnection, withConnection } from "./use-connection.ts";

/** For whom files are read, and for what. */
export interface ConnectionReader {
  readonly accountId: string;
  readonly plan: PlanName;
  /** What reads them: the ids of operations. */
  readonly operations: readonly string[];
}

/**
 * Opens the store of a file in a connection, `conn_…:path`, for `work`, which gets the path in the store. Throws
 * `JobError` `fetch_failed` if the connection cannot be used or the store refuses.
 */
export async function withConnectionFile<Result>(
  { accountId, plan, operations }: ConnectionReader,
  reference: string,
  signal: AbortSignal,
  work: (store: Store, path: string) => Promise<Result>,
): Promise<Result> {
  const { connectionId, path } = requireReference(reference);
  const use = { accountId, connectionId, operations, access: "read" } as const;
  const context = { network: connectionNetworkFor(plan), signal };
  try {
    return await withConnection(use, context, async ({ store, row, at }) => {
      const pathInStore = at(path);
      try {
        return await work(store, pathInStore);
      } catch (error) {
        const file = { connection: row, path };
        throw await explainReadFailure(error, file, store, pathInStore);
      }
    });
  } catch (error) {
    throw toInputError(error);
  }
}

/** A file in a connection of which parts are read. Closing it ends its connection. */
export interface ConnectionRanges extends StoredRanges {
  close(): Promise<void>;
}

/**
 * Opens a file in a connection whose store has no HTTP, `conn_…:path`, to read parts of it; undefined for any other
 * store. Throws `JobError` `fetch_failed` if the connection cannot be used or the store refuses.
 */
export async function openConnectionRanges(
  { accountId, plan, operations }: ConnectionReader,
  reference: string,
  signal: AbortSignal,
): Promise<ConnectionRanges | undefined> {
  const { connectionId, path } = requireReference(reference);
  const use = { accountId, connectionId, operations, access: "read" } as const;
  // The file is used for longer than it takes to open it.
  const network = connectionNetworkFor(plan);
  const context = { network, signal: new AbortController().signal };
  const opened = await openConnection(use, context).catch((error: unknown) => {
    throw toInputError(error);
  });
  const { store } = opened;
  const stop = () => void store.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const pathInStore = opened.at(path);
    const file = { connection: opened.row, path };
    const ranges = await store.openRanges?.(pathInStore).catch(async (error: unknown) => {
      throw await explainReadFailure(error, file, store, pathInStore);
    });
    signal.throwIfAborted();
    if (!ranges) {
      await store.close();
      return undefined;
    }
    await opened.recordUse();
    return { ...ranges, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw toInputError(error);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function requireReference(reference: string): FileReference {
  const parsed = parseFileReference(reference);
  if (!parsed) throw new Error("no file in a connection");
  return parsed;
}

function toInputError(error: unknown): unknown {
  const isRefused = error instanceof JobError && error.code === "address_refused";
  const found = isRefused ? toStoreError(error) : error;
  if (!(found instanceof StoreError)) return found;
  if (/timed out/i.test(String(found.cause))) return fetchTimeoutError(error);
  return new JobError("fetch_failed", found.message, { cause: error });
}
