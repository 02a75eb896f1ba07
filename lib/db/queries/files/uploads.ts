import { and, count, eq, getTableColumns, gt, isNull, lt, sql, sum } from "drizzle-orm";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { uploads } from "../../schema/uploads.ts";
import { isOpenAccount } from "../accounts/accounts.ts";

export type UploadRow = typeof uploads.$inferSelect;

/** Limits on an account's unexpired uploads. */
export interface UnexpiredUploadLimits {
  readonly uploads: number;
  /** The bytes of all uploads together; null is unlimited. */
  readonly bytes: number | null;
}

/**
 * Inserts an upload, in the caller's transaction. False if the account's unexpired uploads would exceed
 * `limits`. Concurrent inserts of one account run one after the other.
 */
export async function insertUpload(
  tx: Queryable,
  values: typeof uploads.$inferInsert,
  limits: UnexpiredUploadLimits,
): Promise<boolean> {
  const { accountId } = values;
  await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const unexpired = and(eq(uploads.accountId, accountId), gt(uploads.expiresAt, sql`now()`));
  const [sums] = await tx
    .select({ uploads: count(), bytes: sum(uploads.bytes).mapWith(Number) })
    .from(uploads)
    .where(unexpired);
  const bytes = (sums?.bytes ?? 0) + values.bytes;
  if ((sums?.uploads ?? 0) >= limits.uploads || bytes > (limits.bytes ?? bytes)) return false;
  await tx.insert(uploads).values(values);
  return true;
}

/**
 * An unexpired upload of any account that is neither suspended nor closed: its signed URL is the
 * permission.
 */
export async function findUnexpiredUpload(
  db: Queryable,
  id: string,
): Promise<UploadRow | undefined> {
  const rows = await db
    .select(getTableColumns(uploads))
    .from(uploads)
    .innerJoin(accounts, eq(accounts.id, uploads.accountId))
    .where(and(eq(uploads.id, id), gt(uploads.expiresAt, sql`now()`), isOpenAccount));
  return rows[0];
}

/** An unexpired upload of the account. */
export async function findUpload(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<UploadRow | undefined> {
  const found = await findUnexpiredUpload(db, id);
  return found?.accountId === accountId ? found : undefined;
}

/** Records that the file was received. False if it had been received before. */
export async function markReceived(
  db: Queryable,
  id: string,
  file: { type: MediaTypeId; sha256: string },
): Promise<boolean> {
  const rows = await db
    .update(uploads)
    .set({ ...file, receivedAt: sql`now()` })
    .where(and(eq(uploads.id, id), isNull(uploads.receivedAt)))
    .returning({ id: uploads.id });
  return rows.length > 0;
}

/** Deletes expired uploads. Returns their ids, so that their files can be deleted. */
export async function deleteExpiredUploads(db: Queryable): Promise<string[]> {
  const rows = await db
    .delete(uploads)
    .where(lt(uploads.expiresAt, sql`now()`))
    .returning({ id: uploads.id });
  return rows.map((row) => row.id);
}
