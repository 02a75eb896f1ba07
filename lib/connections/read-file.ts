import { JobError } from "#lib/errors.ts";
import type { PlanName } from "#lib/plans.ts";
import { parseFileReference } from "./file-reference.ts";
import { connectionNetworkFor } from "./network.ts";
import { toStoreError } from "./stores/http-store.ts";
import { type Store, StoreError } from "./stores/store.ts";
import { withConnection } from "./use-connection.ts";

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
  const parsed = parseFileReference(reference);
  if (!parsed) throw new Error("no file in a connection");
  const { connectionId, path } = parsed;
  const use = { accountId, connectionId, operations, access: "read" } as const;
  const context = { network: connectionNetworkFor(plan), signal };
  try {
    return await withConnection(use, context, ({ store, at }) => work(store, at(path)));
  } catch (error) {
    throw toInputError(error);
  }
}

function toInputError(error: unknown): unknown {
  const isRefused = error instanceof JobError && error.code === "address_refused";
  const found = isRefused ? toStoreError(error) : error;
  if (!(found instanceof StoreError)) return found;
  return new JobError("fetch_failed", found.message, { cause: error });
}
