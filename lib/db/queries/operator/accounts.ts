import { and, count, desc, eq, ilike, inArray, lt, ne, or, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { apiKeys } from "../../schema/credentials/api-keys.ts";
import { sessions } from "../../schema/credentials/sessions.ts";
import { usageDays } from "../../schema/usage-days.ts";
import type { Account } from "../accounts/accounts.ts";

/** An account as an operator sees it: without secrets. */
export interface AccountSummary
  extends Pick<Account, "id" | "email" | "plan" | "role" | "createdAt" | "suspendedAt"> {
  /** Jobs that were accepted in the last 30 days. */
  readonly recentJobs: number;
  /** The last use of a session or a key. Null if there was none. */
  readonly lastActiveAt: Date | null;
}

/** Which accounts: those whose email address or id contains `search`, older than the account `before`. */
export interface AccountSearch {
  readonly search?: string;
  readonly before?: string;
  readonly limit: number;
}

/** Accounts of people, newest first. */
export async function searchAccounts(
  db: Queryable,
  { search, before, limit }: AccountSearch,
): Promise<AccountSummary[]> {
  const pattern = `%${(search ?? "").replaceAll(/[\\%_]/g, "\\$&")}%`;
  const found = await db
    .select(columns)
    .from(accounts)
    .where(
      and(
        ne(accounts.plan, "visitor"),
        ne(accounts.plan, "system"),
        sql`${accounts.deletedAt} is null`,
        search ? or(ilike(accounts.email, pattern), eq(accounts.id, search)) : undefined,
        before ? lt(accounts.id, before) : undefined,
      ),
    )
    .orderBy(desc(accounts.id))
    .limit(limit);
  return addActivity(db, found);
}

/** One account of a person. */
export async function findAccountSummary(
  db: Queryable,
  id: string,
): Promise<AccountSummary | undefined> {
  const found = await db
    .select(columns)
    .from(accounts)
    .where(
      and(
        eq(accounts.id, id),
        sql`${accounts.deletedAt} is null and ${accounts.plan} not in ('visitor', 'system')`,
      ),
    );
  return (await addActivity(db, found))[0];
}

/** The number of accounts of people. */
export async function countPeople(db: Queryable): Promise<number> {
  const isPerson = sql`${accounts.deletedAt} is null and ${accounts.plan} not in ('visitor', 'system')`;
  return (await db.select({ count: count() }).from(accounts).where(isPerson))[0]?.count ?? 0;
}

const columns = {
  id: accounts.id,
  email: accounts.email,
  plan: accounts.plan,
  role: accounts.role,
  createdAt: accounts.createdAt,
  suspendedAt: accounts.suspendedAt,
};

type Found = Omit<AccountSummary, "recentJobs" | "lastActiveAt">;

/** Counts of the accounts of one page: each query reads an index of their rows only. */
async function addActivity(db: Queryable, found: readonly Found[]): Promise<AccountSummary[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const isRecent = sql`${usageDays.day} > (now() at time zone 'UTC')::date - 30`;
  const [jobs, sessionUses, keyUses] = await Promise.all([
    db
      .select({ id: usageDays.accountId, jobs: sql<string>`sum(${usageDays.jobs})` })
      .from(usageDays)
      .where(and(inArray(usageDays.accountId, ids), isRecent))
      .groupBy(usageDays.accountId),
    db
      .select({ id: sessions.accountId, at: sql<Date | string>`max(${sessions.lastSeenAt})` })
      .from(sessions)
      .where(inArray(sessions.accountId, ids))
      .groupBy(sessions.accountId),
    db
      .select({ id: apiKeys.accountId, at: sql<Date | string | null>`max(${apiKeys.lastUsedAt})` })
      .from(apiKeys)
      .where(inArray(apiKeys.accountId, ids))
      .groupBy(apiKeys.accountId),
  ]);
  return found.map((account) => {
    const uses = [...sessionUses, ...keyUses].flatMap(({ id, at }) =>
      id === account.id && at ? [new Date(at).getTime()] : [],
    );
    return {
      ...account,
      recentJobs: Number(jobs.find(({ id }) => id === account.id)?.jobs ?? 0),
      lastActiveAt: uses.length > 0 ? new Date(Math.max(...uses)) : null,
    };
  });
}
