import { and, eq, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { idempotencyKeys } from "../../schema/idempotency-keys.ts";

export type KeptAnswer = typeof idempotencyKeys.$inferSelect;

/**
 * Keeps the answer under its key, in the transaction that does the work. A second request with the
 * key waits here for the first one's commit, and then false says that it was not the first.
 */
export async function keepAnswer(
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

/** The answer kept under a key in the last 24 hours. */
export async function findAnswer(
  db: Queryable,
  accountId: string,
  key: string,
): Promise<KeptAnswer | undefined> {
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

/** Replaces what is answered again: the client had waited, and its answer was the job's end. */
export async function updateAnswer(
  db: Queryable,
  accountId: string,
  key: string,
  answer: { status: number; body: unknown },
): Promise<void> {
  await db
    .update(idempotencyKeys)
    .set(answer)
    .where(and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key)));
}

/** Forgets the answer under a key: what it told of was taken back. */
export async function deleteAnswer(db: Queryable, accountId: string, key: string): Promise<void> {
  await db
    .delete(idempotencyKeys)
    .where(and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key)));
}

/** Forgets the answers that are older than a day. */
export async function deleteOldAnswers(db: Queryable): Promise<void> {
  await db
    .delete(idempotencyKeys)
    .where(lt(idempotencyKeys.createdAt, sql`now() - interval '24 hours'`));
}
