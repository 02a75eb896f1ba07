import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type { z } from "zod";
import { db, transaction } from "#lib/db/client.ts";
import {
  deleteConnection,
  findConnection,
  insertConnection,
  listConnections,
  updateConnection,
} from "#lib/db/queries/files/connections.ts";
import type {
  ConnectionAccess,
  ConnectionRow,
  ConnectionType,
} from "#lib/db/schema/credentials/connections.ts";
import { JobError, RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import type { PlanName } from "#lib/plans.ts";
import { seal } from "#lib/service-secret.ts";
import { fieldSchema, splitFields } from "./fields.ts";
import { findPathFault, joinPath, pathBelow } from "./file-reference.ts";
import { connectionNetworkFor } from "./network.ts";
import { connectionPurpose, openStore, revealSecrets } from "./open-store.ts";
import { type ListPage, type Store, StoreError } from "./stores/store.ts";

/** Connections as their owner manages them. */

const maxConnections = 100;

/** What every connection has. */
export interface ConnectionSettings {
  readonly name: string;
  /** Without slashes at its ends. */
  readonly prefix: string;
  readonly access: ConnectionAccess;
  readonly operations: readonly string[] | null;
}

export interface NewConnection extends ConnectionSettings {
  readonly type: ConnectionType;
  /** The fields of the type, as they were sent. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Who manages connections. */
export interface ConnectionOwner {
  readonly id: string;
  readonly plan: PlanName;
}

/** Creates a connection. Throws `invalid_parameter`, and `conflict` if the account has too many. */
export async function createConnection(
  { id: accountId }: ConnectionOwner,
  { type, fields, ...settings }: NewConnection,
): Promise<ConnectionRow> {
  const id = createId("conn");
  const { config, secrets } = splitFields(parse(type, fields));
  // No other connection can assume the role: its policy demands this id, which no one chooses.
  const external: Record<string, string> =
    type === "s3_role" ? { external_id: randomBytes(16).toString("hex") } : {};
  const values = {
    id,
    accountId,
    type,
    ...settings,
    config: { ...config, ...external },
    secrets: sealFields(id, secrets),
  };
  const row = await transaction((tx) => insertConnection(tx, values, maxConnections));
  if (row) return row;
  throw new RequestError(
    "conflict",
    `An account has at most ${maxConnections} connections. Delete one first.`,
  );
}

/** An account's connections, newest first. */
export function listOwnConnections({ id }: ConnectionOwner): Promise<ConnectionRow[]> {
  return listConnections(db(), id);
}

/** A connection of the account. Throws `not_found`. */
export async function readConnection(
  { id: accountId }: ConnectionOwner,
  id: string,
): Promise<ConnectionRow> {
  const row = await findConnection(db(), accountId, id);
  if (row) return row;
  throw new RequestError("not_found", "No connection with this id exists.");
}

/** Changes what is given, also secrets. Throws `not_found` and `invalid_parameter`. */
export async function changeConnection(
  owner: ConnectionOwner,
  id: string,
  { fields, ...settings }: Partial<ConnectionSettings> & Pick<NewConnection, "fields">,
): Promise<ConnectionRow> {
  const row = await readConnection(owner, id);
  const { external_id: external, ...known } = row.config;
  const all = { ...keptFields(row, known, fields), ...fields };
  const { config, secrets } = splitFields(parse(row.type, all));
  const changed = await updateConnection(db(), row, {
    ...settings,
    config: { ...config, ...(external === undefined ? {} : { external_id: external }) },
    secrets: sealFields(id, secrets),
    // What the last test found was about other settings.
    testedAt: null,
    testError: null,
  });
  return changed ?? readConnection(owner, id);
}

/**
 * What stays of a connection's fields. With another address, it loses its host key and its password, which must be
 * sent again: anyone who may change a connection could otherwise send the password to a server of their own.
 */
function keptFields(
  row: ConnectionRow,
  known: Readonly<Record<string, string | number>>,
  changed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isMoved = addressFields.some(
    (name) => changed[name] !== undefined && changed[name] !== known[name],
  );
  if (!isMoved) return { ...known, ...revealSecrets(row) };
  const { host_key: _, ...rest } = known;
  return rest;
}

const addressFields = ["host", "port", "url", "endpoint"];

/** Deletes a connection. Throws `not_found`. */
export async function removeConnection(owner: ConnectionOwner, id: string): Promise<void> {
  if (await deleteConnection(db(), owner.id, id)) return;
  throw new RequestError("not_found", "No connection with this id exists.");
}

export interface TestResult {
  readonly ok: boolean;
  /** What is wrong, as a sentence. */
  readonly error?: string;
}

const testMs = 60_000;
const probeName = ".mediamill-probe";

/**
 * Tests a connection as far as it may be used: writes a small file, reads it and deletes it; with read access, lists
 * files. Throws `not_found`.
 */
export async function testConnection(owner: ConnectionOwner, id: string): Promise<TestResult> {
  const row = await readConnection(owner, id);
  const error = await findStoreFault(owner, row);
  await updateConnection(db(), row, { testedAt: new Date(), testError: error ?? null });
  return error === undefined ? { ok: true } : { ok: false, error };
}

async function findStoreFault(
  owner: ConnectionOwner,
  row: ConnectionRow,
): Promise<string | undefined> {
  try {
    await withStore(owner, row, (store, signal) => probe(store, row, signal));
    return undefined;
  } catch (error) {
    if (error instanceof StoreError || error instanceof JobError) return error.message;
    throw error;
  }
}

async function probe(store: Store, row: ConnectionRow, signal: AbortSignal): Promise<void> {
  if (row.access === "read") {
    await store.list({ prefix: row.prefix === "" ? "" : `${row.prefix}/`, limit: 1 });
    return;
  }
  const content = Buffer.from(`A test of the connection ${row.id}.\n`);
  const path = joinPath(row.prefix, `${probeName}-${createId("req")}.txt`);
  await store.put({
    path,
    bytes: content.length,
    contentType: "text/plain",
    overwrite: true,
    isRepeated: false,
    since: new Date(),
    attemptName: `mediamill-${row.id}`,
    open: async () => Readable.from([content]),
    signal,
    onProgress: () => {},
  });
  try {
    if (row.access === "both") await requireListed(store, path, content.length);
  } finally {
    await store.remove(path);
  }
}

async function requireListed(store: Store, path: string, bytes: number): Promise<void> {
  const { files } = await store.list({ prefix: path, limit: 10 });
  const found = files.find((file) => file.path === path);
  if (found?.bytes === bytes) return;
  const message = "The store accepted a file, but does not list it.";
  throw new StoreError(message, { isPermanent: false });
}

/** Lists files below the prefix of a connection. Throws `not_found`, and `conflict` with the store's reason. */
export async function listFiles(
  owner: ConnectionOwner,
  id: string,
  {
    prefix,
    cursor,
    limit,
  }: { readonly prefix: string; readonly cursor?: string | undefined; readonly limit: number },
): Promise<ListPage> {
  const row = await readConnection(owner, id);
  if (row.access === "write") {
    throw new RequestError("forbidden", "This connection is only for writing.");
  }
  const fault = prefix === "" ? undefined : findPathFault(prefix.replace(/\/$/, ""));
  if (fault) throw new RequestError("invalid_parameter", `\`prefix\` ${fault}.`);
  const base = row.prefix === "" ? "" : `${row.prefix}/`;
  try {
    const request = { prefix: `${base}${prefix}`, cursor, limit };
    const page = await withStore(owner, row, (store) => store.list(request));
    const files = page.files.flatMap((file) => {
      const path = pathBelow(row.prefix, file.path);
      return path === undefined ? [] : [{ ...file, path }];
    });
    return { ...page, files };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new RequestError("conflict", error.message, { cause: error });
  }
}

async function withStore<Result>(
  { plan }: ConnectionOwner,
  row: ConnectionRow,
  work: (store: Store, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(testMs);
  const store = await openStore(row, { network: connectionNetworkFor(plan), signal });
  try {
    return await work(store, signal);
  } finally {
    await store.close();
  }
}

function parse(type: ConnectionType, fields: Readonly<Record<string, unknown>>) {
  const parsed = fieldSchema(type).safeParse(fields);
  if (parsed.success) return parsed.data;
  throw new RequestError("invalid_parameter", messageOf(parsed.error, type));
}

function messageOf({ issues: [issue] }: z.ZodError, type: ConnectionType): string {
  const field = issue?.path[0];
  if (issue?.code === "unrecognized_keys") {
    return `\`${issue.keys[0]}\` is not a field of a connection of type ${type}.`;
  }
  if (field === undefined) return `A connection of type ${type} ${issue?.message}.`;
  const isMissing = issue?.code === "invalid_type" && issue.input === undefined;
  return `\`${String(field)}\` ${isMissing ? "is required" : issue?.message}.`;
}

function sealFields(id: string, secrets: Readonly<Record<string, unknown>>): string {
  return seal({ purpose: connectionPurpose, id }, JSON.stringify(secrets));
}
