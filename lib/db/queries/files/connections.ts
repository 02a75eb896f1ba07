import { and, asc, count, desc, eq, gt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { type ConnectionRow, connections } from "../../schema/credentials/connections.ts";

/** Inserts a connection, in a transaction. Undefined if the account has `max` already. */
export async function insertConnection(
  db: Queryable,
  values: typeof connections.$inferInsert,
  max: number,
): Promise<ConnectionRow | undefined> {
  // One request of the account at a time counts.
  await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, values.accountId))
    .for("update");
  const counted = await db
    .select({ count: count() })
    .from(connections)
    .where(eq(connections.accountId, values.accountId));
  if ((counted[0]?.count ?? 0) >= max) return undefined;
  const rows = await db.insert(connections).values(values).returning();
  return rows[0];
}

/** An account's connections, newest first. */
export function listConnections(db: Queryable, accountId: string): Promise<ConnectionRow[]> {
  return db
    .select()
    .from(connections)
    .where(eq(connections.accountId, accountId))
    .orderBy(desc(connections.createdAt), desc(connections.id));
}

/** A connection of the account. */
export async function findConnection(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<ConnectionRow | undefined> {
  const rows = await db.select().from(connections).where(isOwn(accountId, id));
  return rows[0];
}

/** Changes a connection of the account. Undefined if there is none with this id. */
export async function updateConnection(
  db: Queryable,
  { accountId, id }: Pick<ConnectionRow, "accountId" | "id">,
  values: Partial<Omit<ConnectionRow, "id" | "accountId" | "type" | "createdAt">>,
): Promise<ConnectionRow | undefined> {
  const rows = await db.update(connections).set(values).where(isOwn(accountId, id)).returning();
  return rows[0];
}

/** Pins the key of a host that had none yet, unless the connection has another address by now. */
export async function pinHostKey(
  db: Queryable,
  { id, config }: Pick<ConnectionRow, "id" | "config">,
  hostKey: string,
): Promise<void> {
  await db
    .update(connections)
    .set({
      config: sql`(${connections.config}::jsonb || ${JSON.stringify({ host_key: hostKey })}::jsonb)::json`,
    })
    .where(
      and(
        eq(connections.id, id),
        sql`${connections.config}->>'host_key' is null`,
        sql`${connections.config}->>'host' = ${String(config.host)}`,
        sql`${connections.config}->>'port' = ${String(config.port)}`,
      ),
    );
}

/** Deletes a connection of the account. False if there is none with this id. */
export async function deleteConnection(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await db
    .delete(connections)
    .where(isOwn(accountId, id))
    .returning({ id: connections.id });
  return rows.length > 0;
}

/** Lists encrypted secrets by id, from the one after `after`. */
export function listSealedConnections(
  db: Queryable,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Pick<ConnectionRow, "id" | "secrets">[]> {
  return db
    .select({ id: connections.id, secrets: connections.secrets })
    .from(connections)
    .where(gt(connections.id, after))
    .orderBy(asc(connections.id))
    .limit(limit);
}

/** Replaces the encrypted secrets of a connection, unless they have changed. */
export async function replaceSealedConnection(
  db: Queryable,
  { id, secrets }: Pick<ConnectionRow, "id" | "secrets">,
  replacement: string,
): Promise<void> {
  await db
    .update(connections)
    .set({ secrets: replacement })
    .where(and(eq(connections.id, id), eq(connections.secrets, secrets)));
}

const isOwn = (accountId: string, id: string) =>
  and(eq(connections.id, id), eq(connections.accountId, accountId));
