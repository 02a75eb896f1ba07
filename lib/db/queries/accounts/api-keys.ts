import { and, count, desc, eq, isNull, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { apiKeys } from "../../schema/credentials/api-keys.ts";
import { defineStatement, rowReader } from "../../statement.ts";
import type { Account } from "./accounts.ts";

export type ApiKey = typeof apiKeys.$inferSelect;

export async function insertApiKey(
  db: Queryable,
  values: typeof apiKeys.$inferInsert,
): Promise<void> {
  await db.insert(apiKeys).values(values);
}

const wasNotUsedRecently = sql<boolean>`(${apiKeys.lastUsedAt} is null
  or ${apiKeys.lastUsedAt} < now() - interval '1 minute')`;

/** The condition for a key that is neither revoked nor expired. */
export const isActiveKey = sql`(${apiKeys.revokedAt} is null
  and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > now()))`;

const findByHash = defineStatement<"hash">(
  (value) => sql`
    select accounts.*, api_keys.id as key_id, ${wasNotUsedRecently} as needs_touch
    from api_keys join accounts on accounts.id = api_keys.account_id
    where api_keys.hash = ${value("hash")}::text and ${isActiveKey}`,
);

const readAccount = rowReader(accounts);

/**
 * The key with this hash, and its account, if the key is neither revoked nor expired. `needsTouch`:
 * `touchApiKey` would record that it was used.
 */
export async function findActiveKey(
  db: Queryable,
  hash: string,
): Promise<{ keyId: string; needsTouch: boolean; account: Account } | undefined> {
  const [row] = await db.execute(findByHash({ hash }));
  if (!row) return undefined;
  const needsTouch = row.needs_touch === true;
  return { keyId: String(row.key_id), needsTouch, account: readAccount(row) };
}

/** Records that a key was used. Writes at most once per minute. */
export async function touchApiKey(db: Queryable, id: string): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), wasNotUsedRecently));
}

/** A key of any account, for the operator. */
export async function findApiKey(
  db: Queryable,
  id: string,
): Promise<{ key: ApiKey; account: Pick<Account, "id" | "email"> } | undefined> {
  const rows = await db
    .select({ key: apiKeys, account: { id: accounts.id, email: accounts.email } })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.id, id));
  return rows[0];
}

/**
 * Revokes a key permanently. With `accountId` only a key of that account; without it any key, for the
 * operator. False if there is no valid key with this id.
 */
export async function revokeApiKey(
  db: Queryable,
  id: string,
  accountId?: string,
): Promise<boolean> {
  const own = accountId === undefined ? undefined : eq(apiKeys.accountId, accountId);
  const rows = await db
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), own, isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return rows.length > 0;
}

/** Revokes all keys of an account permanently. */
export async function revokeAllApiKeys(db: Queryable, accountId: string): Promise<void> {
  await db
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)));
}

/** The account's keys that are neither revoked nor expired. */
function isActiveKeyOf(accountId: string) {
  return and(eq(apiKeys.accountId, accountId), isActiveKey);
}

/** The number of an account's keys that are neither revoked nor expired. */
export async function countActiveKeys(db: Queryable, accountId: string): Promise<number> {
  const rows = await db.select({ count: count() }).from(apiKeys).where(isActiveKeyOf(accountId));
  return rows[0]?.count ?? 0;
}

/** An account's keys that are neither revoked nor expired, newest first. */
export function listActiveKeys(db: Queryable, accountId: string): Promise<ApiKey[]> {
  return db.select().from(apiKeys).where(isActiveKeyOf(accountId)).orderBy(desc(apiKeys.createdAt));
}

/** An account's keys, newest first. */
export function listApiKeys(db: Queryable, accountId: string): Promise<ApiKey[]> {
  return db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(desc(apiKeys.createdAt));
}
