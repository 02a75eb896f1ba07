import { and, eq } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { type ReceiverRow, webhookReceivers } from "../../schema/receiver/webhook-receivers.ts";
import { type Account, isOpenAccount } from "../accounts/accounts.ts";

/** The test receiver of an account. Creates one with `token` if there is none. */
export async function ensureReceiver(
  db: Queryable,
  accountId: string,
  token: string,
): Promise<ReceiverRow> {
  const isOwn = eq(webhookReceivers.accountId, accountId);
  const [known] = await db.select().from(webhookReceivers).where(isOwn);
  if (known) return known;
  await db.insert(webhookReceivers).values({ accountId, token }).onConflictDoNothing();
  const [created] = await db.select().from(webhookReceivers).where(isOwn);
  if (!created) throw new Error("the insert returned no receiver");
  return created;
}

/** A receiver and the account that owns it. */
export interface OwnedReceiver {
  readonly receiver: ReceiverRow;
  readonly account: Account;
}

/** The receiver with this token, of an account that is neither suspended nor closed. */
export async function findReceiverByToken(
  db: Queryable,
  token: string,
): Promise<OwnedReceiver | undefined> {
  const rows = await db
    .select({ receiver: webhookReceivers, account: accounts })
    .from(webhookReceivers)
    .innerJoin(accounts, eq(accounts.id, webhookReceivers.accountId))
    .where(and(eq(webhookReceivers.token, token), isOpenAccount));
  return rows[0];
}

/** Changes an account's receiver. */
export async function updateReceiver(
  db: Queryable,
  accountId: string,
  values: Partial<Pick<ReceiverRow, "token" | "responseStatus" | "delaySeconds">>,
): Promise<void> {
  await db.update(webhookReceivers).set(values).where(eq(webhookReceivers.accountId, accountId));
}
