import { and, asc, count, desc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import type { PlanName } from "#lib/plans.ts";
import { channels } from "../../channels.ts";
import { notify, type Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { imageKeys } from "../../schema/images/image-keys.ts";
import { isOpenAccount } from "../accounts/accounts.ts";

export type ImageKey = typeof imageKeys.$inferSelect;

/** Inserts a pair. False if the account has `max` already. */
export async function insertImageKey(
  db: Queryable,
  values: typeof imageKeys.$inferInsert,
  max: number,
): Promise<boolean> {
  const rows = await db
    .select({ count: count() })
    .from(imageKeys)
    .where(eq(imageKeys.accountId, values.accountId));
  if ((rows[0]?.count ?? 0) >= max) return false;
  await db.insert(imageKeys).values(values);
  return true;
}

/** An account's pairs, newest first. */
export function listImageKeys(db: Queryable, accountId: string): Promise<ImageKey[]> {
  return db
    .select()
    .from(imageKeys)
    .where(eq(imageKeys.accountId, accountId))
    .orderBy(desc(imageKeys.createdAt));
}

/** A pair of an account that is neither suspended nor closed, with the account's plan. */
export async function findImageKey(
  db: Queryable,
  id: string,
): Promise<(ImageKey & { plan: PlanName }) | undefined> {
  const rows = await db
    .select({ ...getTableColumns(imageKeys), plan: accounts.plan })
    .from(imageKeys)
    .innerJoin(accounts, eq(accounts.id, imageKeys.accountId))
    .where(and(eq(imageKeys.id, id), isOpenAccount));
  return rows[0];
}

/** Deletes a pair of the account, in all processes at once. False if there is none with this id. */
export async function deleteImageKey(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await db
    .delete(imageKeys)
    .where(and(eq(imageKeys.id, id), eq(imageKeys.accountId, accountId)))
    .returning({ id: imageKeys.id });
  if (rows.length === 0) return false;
  await notify(db, channels.imagesChanged, accountId);
  return true;
}

/** Lists encrypted pairs by id, from the one after `after`. */
export function listSealedImageKeys(
  db: Queryable,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Pick<ImageKey, "id" | "secrets">[]> {
  return db
    .select({ id: imageKeys.id, secrets: imageKeys.secrets })
    .from(imageKeys)
    .where(gt(imageKeys.id, after))
    .orderBy(asc(imageKeys.id))
    .limit(limit);
}

/** Replaces the encrypted secrets of a pair, unless they have changed. */
export async function replaceSealedImageKey(
  db: Queryable,
  { id, secrets }: Pick<ImageKey, "id" | "secrets">,
  replacement: string,
): Promise<void> {
  await db
    .update(imageKeys)
    .set({ secrets: replacement })
    .where(and(eq(imageKeys.id, id), sql`${imageKeys.secrets} = ${secrets}`));
}
