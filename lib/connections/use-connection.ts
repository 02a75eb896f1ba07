import { db } from "#lib/db/client.ts";
import { findConnection, updateConnection } from "#lib/db/queries/files/connections.ts";
import type { ConnectionRow } from "#lib/db/schema/credentials/connections.ts";
import { log } from "#lib/log.ts";
import type { Network } from "#lib/net/network.ts";
import { findPathFault, findReadPathFault, joinPath } from "./file-reference.ts";
import { openStore } from "./open-store.ts";
import { type Store, StoreError } from "./stores/store.ts";

/** Connections as jobs use them. */

/** Who uses a connection, and for what. */
export interface ConnectionUse {
  readonly accountId: string;
  readonly connectionId: string;
  /** The operations of the job. */
  readonly operations: readonly string[];
  readonly access: "read" | "write";
}

/** Why a connection cannot be used; it follows the name of the field. Undefined if it can. */
export async function findUseFault(use: ConnectionUse): Promise<string | undefined> {
  return faultOf(await findConnection(db(), use.accountId, use.connectionId), use);
}

/** Why the file of the field `name` cannot be read in a connection, as a message. Undefined if it can. */
export async function findReadFault(
  name: string,
  use: ConnectionUse,
  path: string,
): Promise<string | undefined> {
  const row = await findConnection(db(), use.accountId, use.connectionId);
  const fault = faultOf(row, use);
  if (fault || !row) return `\`${name}\` ${fault}.`;
  const pathFault = findReadPathFault(row.type, path);
  return pathFault && `The path of \`${name}\` ${pathFault}.`;
}

function faultOf(
  row: ConnectionRow | undefined,
  { operations, access }: ConnectionUse,
): string | undefined {
  if (!row) return "must name a connection of this account";
  if (row.access !== "both" && row.access !== access) {
    const verb = row.access === "read" ? "reading" : "writing";
    return `names the connection ${JSON.stringify(row.name)}, which is only for ${verb}`;
  }
  const refused = row.operations && operations.find((one) => !row.operations?.includes(one));
  if (refused === null || refused === undefined) return undefined;
  return `names the connection ${JSON.stringify(row.name)}, which is not for ${refused}`;
}

/** Uses are recorded at most this often: pictures by URL use a connection many times a second. */
const recordMs = 60_000;

/** What the store has confirmed must not fail because of the database. */
async function recordUse(row: ConnectionRow): Promise<void> {
  const usedAt = new Date();
  if (row.usedAt && usedAt.getTime() - row.usedAt.getTime() < recordMs) return;
  await updateConnection(db(), row, { usedAt }).catch((error: unknown) =>
    log.warn({ err: error, connection: row.id }, "use of a connection not recorded"),
  );
}

/** A store that is open for one job, with the connection's prefix. */
export interface OpenedConnection {
  readonly store: Store;
  readonly row: ConnectionRow;
  /** The path in the store of a path below the prefix. Throws `StoreError` for one that leaves it. */
  at(path: string): string;
  /** Remembers that the connection was used. */
  recordUse(): Promise<void>;
}

/** Opens a connection for `work` and closes it after that. Throws `StoreError` if it cannot be used any more. */
export async function withConnection<Result>(
  use: ConnectionUse,
  context: { readonly network: Network; readonly signal: AbortSignal },
  work: (opened: OpenedConnection) => Promise<Result>,
): Promise<Result> {
  const opened = await openConnection(use, context);
  try {
    const result = await work(opened);
    await opened.recordUse();
    return result;
  } finally {
    await opened.store.close();
  }
}

/** Opens a connection, whose store the caller closes. Throws `StoreError` if it cannot be used any more. */
export async function openConnection(
  use: ConnectionUse,
  context: { readonly network: Network; readonly signal: AbortSignal },
): Promise<OpenedConnection> {
  const row = await findConnection(db(), use.accountId, use.connectionId);
  const fault = faultOf(row, use);
  if (!row || fault !== undefined) {
    const message = row
      ? `The request ${fault}.`
      : "The connection does not exist any more: it was deleted.";
    throw new StoreError(message, { isPermanent: true });
  }
  const store = await openStore(row, context);
  const at = (path: string) => {
    const pathFault =
      use.access === "read" ? findReadPathFault(row.type, path) : findPathFault(path);
    if (pathFault === undefined) return joinPath(row.prefix, path);
    throw new StoreError(`The path ${pathFault}.`, { isPermanent: true });
  };
  return { store, row, at, recordUse: () => recordUse(row) };
}
