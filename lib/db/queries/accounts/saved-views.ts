import { and, asc, eq, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { savedViews } from "../../schema/dashboard/saved-views.ts";

export type SavedView = Pick<typeof savedViews.$inferSelect, "name" | "query">;

/** The most views of an account. */
export const maxSavedViews = 20;

/** An account's views, oldest first. */
export function listSavedViews(db: Queryable, accountId: string): Promise<SavedView[]> {
  return db
    .select({ name: savedViews.name, query: savedViews.query })
    .from(savedViews)
    .where(eq(savedViews.accountId, accountId))
    .orderBy(asc(savedViews.createdAt), asc(savedViews.name));
}

/** Saves a view; one with the same name is replaced. False if the account has too many. */
export async function saveView(
  db: Queryable,
  accountId: string,
  { name, query }: SavedView,
): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into saved_views (account_id, name, query)
    select ${accountId}, ${name}, ${query}
    where (select count(*) from saved_views where account_id = ${accountId} and name <> ${name})
      < ${maxSavedViews}::int
    on conflict (account_id, name) do update set query = excluded.query
    returning name`);
  return rows.length > 0;
}

export async function deleteSavedView(
  db: Queryable,
  accountId: string,
  name: string,
): Promise<void> {
  await db
    .delete(savedViews)
    .where(and(eq(savedViews.accountId, accountId), eq(savedViews.name, name)));
}
