import { and, count, eq, isNull, lt, ne, notInArray, sql } from "drizzle-orm";
import type { PlanName } from "#lib/plans.ts";
import type { Queryable } from "../../client.ts";
import { type AccountRole, accounts } from "../../schema/accounts.ts";

export type Account = typeof accounts.$inferSelect;

/** Whether a row of `accounts` is neither suspended nor closed. */
export const isOpenAccount = and(isNull(accounts.suspendedAt), isNull(accounts.deletedAt));

/** Inserts an account. Returns undefined if the email address already has one. */
export async function insertAccount(
  db: Queryable,
  values: typeof accounts.$inferInsert,
): Promise<Account | undefined> {
  const rows = await db.insert(accounts).values(values).onConflictDoNothing().returning();
  return rows[0];
}

export async function findAccountByEmail(
  db: Queryable,
  email: string,
): Promise<Account | undefined> {
  return (await db.select().from(accounts).where(eq(accounts.email, email)))[0];
}

export async function findAccount(db: Queryable, id: string): Promise<Account | undefined> {
  return (await db.select().from(accounts).where(eq(accounts.id, id)))[0];
}

/** The number of accounts, without the one of the system. */
export async function countAccounts(db: Queryable): Promise<number> {
  const isCounted = ne(accounts.plan, "system");
  return (await db.select({ count: count() }).from(accounts).where(isCounted))[0]?.count ?? 0;
}

/** The account of a person, not of a visitor or the system. */
const isOffered = notInArray(accounts.plan, ["visitor", "system"]);

/** All accounts of people who signed up that are not closed, oldest first. */
export function listAccounts(db: Queryable): Promise<Account[]> {
  return db
    .select()
    .from(accounts)
    .where(and(isNull(accounts.deletedAt), isOffered))
    .orderBy(accounts.createdAt);
}

/** The account of a visitor that is neither suspended nor closed. */
export async function findVisitorAccount(db: Queryable, id: string): Promise<Account | undefined> {
  const isVisitor = and(eq(accounts.id, id), eq(accounts.plan, "visitor"), isOpenAccount);
  return (await db.select().from(accounts).where(isVisitor))[0];
}

/** Accounts of visitors that are not closed and older than `hours`. */
export function listOldVisitors(db: Queryable, hours: number): Promise<{ id: string }[]> {
  const isOld = lt(accounts.createdAt, sql`now() - make_interval(hours => ${hours})`);
  return db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.plan, "visitor"), isNull(accounts.deletedAt), isOld));
}

export async function setAccountPlan(db: Queryable, id: string, plan: PlanName): Promise<void> {
  await db.update(accounts).set({ plan }).where(eq(accounts.id, id));
}

export async function setAccountRole(db: Queryable, id: string, role: AccountRole): Promise<void> {
  await db.update(accounts).set({ role }).where(eq(accounts.id, id));
}

/** Suspends the account, or restores it. */
export async function setAccountSuspended(
  db: Queryable,
  id: string,
  suspended: boolean,
): Promise<void> {
  const suspendedAt = suspended ? sql`now()` : null;
  await db.update(accounts).set({ suspendedAt }).where(eq(accounts.id, id));
}

/** Records that the owner of the account reads the mail of its address. */
export async function setEmailConfirmed(db: Queryable, id: string): Promise<void> {
  await db.update(accounts).set({ mustConfirmEmail: false }).where(eq(accounts.id, id));
}

/** Sets a password that the user has chosen. */
export async function setAccountPassword(
  db: Queryable,
  id: string,
  passwordHash: string,
): Promise<void> {
  await db
    .update(accounts)
    .set({ passwordHash, mustSetPassword: false })
    .where(eq(accounts.id, id));
}

/** Sets the secret that signs an account's webhooks. The previous one also signs for `hours`. */
export async function replaceWebhookSecret(
  db: Queryable,
  id: string,
  webhookSecret: string,
  hours: number,
): Promise<void> {
  await db
    .update(accounts)
    .set({
      webhookSecret,
      previousWebhookSecret: accounts.webhookSecret,
      previousWebhookSecretExpiresAt: sql`now() + make_interval(hours => ${hours})`,
    })
    .where(eq(accounts.id, id));
}
