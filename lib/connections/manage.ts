import { randomBytes } from "node:crypto";
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
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import type { PlanName } from "#lib/plans.ts";
import { seal } from "#lib/service-secret.ts";
import { fieldSchema, splitFields } from "./fields.ts";
import { connectionPurpose, revealSecrets } from "./open-store.ts";

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

function parse(type: ConnectionType, fields: Readonly<Record<string, unknown>>) {
  const parsed = fieldSchema(type).safeParse(fields, { reportInput: true });
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
