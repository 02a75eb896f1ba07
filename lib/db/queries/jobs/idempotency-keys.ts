import { and, eq, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { idempotencyKeys } from "../../schema/idempotency-keys.ts";

export type IdempotentResponse = typeof idempotencyKeys.$inferSelect;

/**
 * Saves the response under its key, in the transaction that creates the job or upload. A second request with the
 * same key waits here for the commit of the first one. False if this request was not the first.
 */
export async function saveIdempotentResponse(
  db: Queryable,
  values: typeof idempotencyKeys.$inferInsert,
): Promise<boolean> {
  const { accountId, key } = values;
  await db
    .delete(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.accountId, accountId),
        eq(idempotencyKeys.key, key),
        lt(idempotencyKeys.createdAt, sql`now() - interval '24 hours'`),
      ),
    );
  const rows = await db
    .insert(idempotencyKeys)
    .values(values)
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  return rows.length > 0;
}

/** The response saved under a key in the last 24 hours. */
export async function findIdempotentResponse(
  db: Queryable,
  accountId: string,
  key: string,
): Promise<IdempotentResponse | undefined> {
  const rows = await db
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.accountId, accountId),
        eq(idempotencyKeys.key, key),
        sql`${idempotencyKeys.createdAt} > now() - interval '24 hours'`,
      ),
    );
  return rows[0];
}

/** Replaces the saved response: the client waited and received the finished job. */
export async function updateIdempotentResponse(
  db: Queryable,
  accountId: string,
  key: string,
  response: { status: number; body: unknown },
): Promise<void> {
  await db
    .update(idempotencyKeys)
    .set(response)
    .where(and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key)));
}

/** Deletes the response under a key, because its job was rolled back. */
export async function deleteIdempotentResponse(
  db: Queryable,
  accountId: string,
  key: string,
): Promise<void> {
  await db
    .delete(idempotencyKeys)
    .where(and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key)));
}

/** Deletes the responses that are older than a day. */
export async function deleteExpiredIdempotencyKeys(db: Queryable): Promise<void> {
  await db
    .delete(idempotencyKeys)
    .where(lt(idempotencyKeys.createdAt, sql`now() - interval '24 hours'`));
}
