import { and, eq, getTableColumns, isNull } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { identities } from "../../schema/credentials/identities.ts";
import type { Account } from "./accounts.ts";

/** A user of a sign-in provider. */
export type Identity = Pick<typeof identities.$inferSelect, "provider" | "subject">;

/** The account that is linked to a user of a provider. */
export async function findAccountByIdentity(
  db: Queryable,
  { provider, subject }: Identity,
): Promise<Account | undefined> {
  const rows = await db
    .select(getTableColumns(accounts))
    .from(identities)
    .innerJoin(accounts, eq(accounts.id, identities.accountId))
    .where(
      and(
        eq(identities.provider, provider),
        eq(identities.subject, subject),
        isNull(accounts.deletedAt),
      ),
    );
  return rows[0];
}

/** The providers that are linked to an account. */
export async function listProviders(
  db: Queryable,
  accountId: string,
): Promise<Identity["provider"][]> {
  const rows = await db
    .select({ provider: identities.provider })
    .from(identities)
    .where(eq(identities.accountId, accountId));
  return rows.map((row) => row.provider);
}

/** Links a user of a provider to an account. False if the user is already linked to one. */
export async function insertIdentity(
  db: Queryable,
  values: Identity & { accountId: string },
): Promise<boolean> {
  const rows = await db
    .insert(identities)
    .values(values)
    .onConflictDoNothing()
    .returning({ subject: identities.subject });
  return rows.length > 0;
}
