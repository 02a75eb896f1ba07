import { and, eq, getTableColumns, gt, lt, not, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { apiKeys } from "../../schema/credentials/api-keys.ts";
import { browserTokens } from "../../schema/credentials/browser-tokens.ts";
import type { Account } from "./accounts.ts";
import { isActiveKey } from "./api-keys.ts";

export type BrowserToken = typeof browserTokens.$inferSelect;

const isUnexpired = gt(browserTokens.expiresAt, sql`now()`);

/** Tokens are kept for a day after their end, so that the pages that hold them learn of it. */
const isOld = lt(browserTokens.expiresAt, sql`now() - interval '1 day'`);

export async function insertBrowserToken(
  db: Queryable,
  values: typeof browserTokens.$inferInsert,
): Promise<void> {
  await db.insert(browserTokens).values(values);
}

/** The token with this hash, and its account, if neither the token nor its API key has ended. */
export async function findActiveToken(
  db: Queryable,
  hash: string,
): Promise<{ token: BrowserToken; account: Account } | undefined> {
  const rows = await db
    .select({ token: getTableColumns(browserTokens), account: getTableColumns(accounts) })
    .from(browserTokens)
    .innerJoin(accounts, eq(accounts.id, browserTokens.accountId))
    .innerJoin(apiKeys, eq(apiKeys.id, browserTokens.apiKeyId))
    .where(and(eq(browserTokens.hash, hash), isUnexpired, isActiveKey));
  return rows[0];
}

/** Whether pages of this origin have a token, or one that has expired in the last day. */
export async function hasTokenOfOrigin(db: Queryable, origin: string): Promise<boolean> {
  const rows = await db
    .select({ id: browserTokens.id })
    .from(browserTokens)
    .where(and(eq(browserTokens.origin, origin), not(isOld)))
    .limit(1);
  return rows.length > 0;
}

/** Counts a job of the token. False if it has created as many as it may; then nothing is counted. */
export async function countTokenJob(db: Queryable, id: string): Promise<boolean> {
  const { jobs, maxJobs } = browserTokens;
  const rows = await db
    .update(browserTokens)
    .set({ jobs: sql`${jobs} + 1` })
    .where(and(eq(browserTokens.id, id), lt(jobs, maxJobs)))
    .returning({ id: browserTokens.id });
  return rows.length > 0;
}

/** Takes back the count of a job that was not created. */
export async function uncountTokenJob(db: Queryable, id: string): Promise<void> {
  const { jobs } = browserTokens;
  await db
    .update(browserTokens)
    .set({ jobs: sql`${jobs} - 1` })
    .where(and(eq(browserTokens.id, id), gt(jobs, 0)));
}

export async function deleteExpiredTokens(db: Queryable): Promise<void> {
  await db.delete(browserTokens).where(isOld);
}
