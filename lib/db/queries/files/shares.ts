import { and, count, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { type ShareRow, shares } from "../../schema/dashboard/shares.ts";

/** The most shares of an account that have not expired. */
export const maxShares = 200;

const isLive = gt(shares.expiresAt, sql`now()`);

/** Inserts a share. False if the account has too many. */
export async function insertShare(db: Queryable, share: ShareRow): Promise<boolean> {
  const [row] = await db
    .select({ live: count() })
    .from(shares)
    .where(and(eq(shares.accountId, share.accountId), isLive));
  if ((row?.live ?? 0) >= maxShares) return false;
  await db.insert(shares).values(share);
  return true;
}

/** An account's shares that have not expired, newest first; only those of a job if one is given. */
export function listShares(db: Queryable, accountId: string, jobId?: string): Promise<ShareRow[]> {
  return db
    .select()
    .from(shares)
    .where(
      and(
        eq(shares.accountId, accountId),
        isLive,
        jobId === undefined ? undefined : eq(shares.jobId, jobId),
      ),
    )
    .orderBy(desc(shares.id))
    .limit(maxShares);
}

/** The share with this token that has not expired. */
export async function findShareByToken(
  db: Queryable,
  token: string,
): Promise<ShareRow | undefined> {
  const [row] = await db
    .select()
    .from(shares)
    .where(and(eq(shares.token, token), isLive));
  return row;
}

/** Ends a share at once. False if the account has no such share. */
export async function deleteShare(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const deleted = await db
    .delete(shares)
    .where(and(eq(shares.id, id), eq(shares.accountId, accountId)))
    .returning({ id: shares.id });
  return deleted.length > 0;
}

/** Deletes the shares of a job, whose files are deleted. */
export async function deleteSharesOfJob(db: Queryable, jobId: string): Promise<void> {
  await db.delete(shares).where(eq(shares.jobId, jobId));
}

export async function deleteExpiredShares(db: Queryable): Promise<void> {
  await db.delete(shares).where(lt(shares.expiresAt, sql`now()`));
}
