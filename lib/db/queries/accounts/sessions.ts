import { and, desc, eq, getTableColumns, gt, lt, notInArray, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { sessions } from "../../schema/credentials/sessions.ts";
import { type Account, isOpenAccount } from "./accounts.ts";

export type Session = typeof sessions.$inferSelect;

/** How long a session lasts. Use does not extend it. */
export const sessionDays = 30;

/** How long an operator who showed who they are has time for one act. */
const actMinutes = 2;

const actExpiry = sql`now() + make_interval(mins => ${actMinutes})`;

export async function insertSession(
  db: Queryable,
  values: Omit<typeof sessions.$inferInsert, "expiresAt">,
): Promise<void> {
  const expiresAt = sql`now() + make_interval(days => ${sessionDays})`;
  // Without a password, another sign-in is the way to show again who one is.
  const actAllowedUntil = values.method === "password" ? null : actExpiry;
  await db.insert(sessions).values({ ...values, expiresAt, actAllowedUntil });
}

/** The session with this id, and its account. Undefined if it has ended. */
export async function findSession(
  db: Queryable,
  id: string,
): Promise<{ session: Session; account: Account } | undefined> {
  const rows = await db
    .select({ session: getTableColumns(sessions), account: getTableColumns(accounts) })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(eq(sessions.id, id), gt(sessions.expiresAt, sql`now()`), isOpenAccount));
  return rows[0];
}

/** Records that the session's user has shown again who they are. */
export async function setSessionAuthenticated(db: Queryable, id: string): Promise<void> {
  await db
    .update(sessions)
    .set({ authenticatedAt: sql`now()`, actAllowedUntil: actExpiry })
    .where(eq(sessions.id, id));
}

/** Whether the session's user has shown in the last `minutes` who they are. */
export async function isSessionRecent(
  db: Queryable,
  id: string,
  minutes: number,
): Promise<boolean> {
  const isRecent = gt(sessions.authenticatedAt, sql`now() - make_interval(mins => ${minutes})`);
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, id), isRecent));
  return rows.length > 0;
}

/** Uses up the permission for one act. Of concurrent calls, only one gets it. */
export async function takeActPermission(db: Queryable, id: string): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ actAllowedUntil: null })
    .where(and(eq(sessions.id, id), gt(sessions.actAllowedUntil, sql`now()`)))
    .returning({ id: sessions.id });
  return rows.length > 0;
}

/** Stores the hash of the code that was sent for this session. It replaces the previous one. */
export async function setSessionCode(
  db: Queryable,
  id: string,
  codeHash: string,
  minutes: number,
): Promise<void> {
  const codeExpiresAt = sql`now() + make_interval(mins => ${minutes})`;
  await db.update(sessions).set({ codeHash, codeExpiresAt }).where(eq(sessions.id, id));
}

/** Uses up the code of this session. False if it is wrong or has expired. */
export async function takeSessionCode(
  db: Queryable,
  id: string,
  codeHash: string,
): Promise<boolean> {
  const isValid = and(eq(sessions.codeHash, codeHash), gt(sessions.codeExpiresAt, sql`now()`));
  const rows = await db
    .update(sessions)
    .set({ codeHash: null, codeExpiresAt: null })
    .where(and(eq(sessions.id, id), isValid))
    .returning({ id: sessions.id });
  return rows.length > 0;
}

/** Records that a session was used. Writes at most once per minute. */
export async function touchSession(db: Queryable, id: string): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(sessions.id, id), lt(sessions.lastSeenAt, sql`now() - interval '1 minute'`)));
}

/** An account's sessions, most recently used first. */
export function listSessions(db: Queryable, accountId: string): Promise<Session[]> {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.lastSeenAt));
}

/** Ends a session of any account: knowing its id is the permission. */
export async function deleteSession(db: Queryable, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/** Ends a session of the account. */
export async function deleteOwnSession(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.accountId, accountId), eq(sessions.id, id)));
}

/** Ends all sessions of an account. */
export async function deleteSessions(db: Queryable, accountId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.accountId, accountId));
}

/** Ends all sessions of an account except the `keep` most recently used ones. */
export async function deleteOldestSessions(
  db: Queryable,
  accountId: string,
  keep: number,
): Promise<void> {
  const kept = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.accountId, accountId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(keep);
  await db
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), notInArray(sessions.id, kept)));
}

export async function deleteExpiredSessions(db: Queryable): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}
