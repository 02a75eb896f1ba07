import { withTimeout } from "#lib/deadline.ts";
import { log } from "#lib/log.ts";
import journal from "../../drizzle/meta/_journal.json" with { type: "json" };
import { connect } from "./client.ts";
import { DatabaseTimeoutError } from "./ping.ts";

/**
 * The states of the database. `missing`: it does not respond. `not migrated`: it responds, but
 * lacks a migration of this version.
 */
export const databaseStates = ["ok", "missing", "not migrated"] as const;

export type DatabaseState = (typeof databaseStates)[number];

/** How long the database may take to respond, in milliseconds. */
const timeoutMs = 3000;

/** SQLSTATE of a table and of a schema that does not exist. */
const undefinedCodes = ["42P01", "3F000"];

/** Whether this process can use the database. Never throws; logs why if it cannot. */
export async function readDatabaseState(): Promise<DatabaseState> {
  try {
    if (await withTimeout(isMigrated(), timeoutMs, () => new DatabaseTimeoutError())) return "ok";
    log.warn("database is not migrated; a service that starts by npm migrates it");
    return "not migrated";
  } catch (err) {
    log.warn({ err }, "database did not respond to the readiness check");
    return "missing";
  }
}

/** Newer migrations than this version's do not count: they only add to the schema. */
async function isMigrated(): Promise<boolean> {
  const newest = Math.max(...journal.entries.map(({ when }) => when));
  try {
    const [row] =
      await connect()`select max(created_at) as newest from drizzle.__drizzle_migrations`;
    return Number(row?.newest ?? 0) >= newest;
  } catch (error) {
    if (isUndefined(error)) return false;
    throw error;
  }
}

function isUndefined(error: unknown): boolean {
  return error instanceof Error && "code" in error && undefinedCodes.includes(String(error.code));
}
