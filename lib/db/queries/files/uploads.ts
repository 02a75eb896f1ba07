import { and, count, eq, gt, isNull, lt, sql, sum } from "drizzle-orm";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { uploads } from "../../schema/uploads.ts";

export type UploadRow = typeof uploads.$inferSelect;

/** What an account may have waiting at once. */
export interface UploadRoom {
  readonly uploads: number;
  /** Null is unlimited. */
  readonly bytes: number | null;
}

/**
 * Announces an upload, in a transaction of the caller's. False where those that wait with it would be
 * more than `room`; the account's announcements go one after the other.
 */
export async function insertUpload(
  tx: Queryable,
  values: typeof uploads.$inferInsert,
  room: UploadRoom,
): Promise<boolean> {
  const { accountId } = values;
  await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const waiting = and(eq(uploads.accountId, accountId), gt(uploads.expiresAt, sql`now()`));
  const [sums] = await tx
    .select({ uploads: count(), bytes: sum(uploads.bytes).mapWith(Number) })
    .from(uploads)
    .where(waiting);
  const bytes = (sums?.bytes ?? 0) + values.bytes;
  if ((sums?.uploads ?? 0) >= room.uploads || bytes > (room.bytes ?? bytes)) return false;
  await tx.insert(uploads).values(values);
  return true;
}

/** An upload that is still valid, whoever's: its signed address is the permission. */
export async function findOpenUpload(db: Queryable, id: string): Promise<UploadRow | undefined> {
  const rows = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.id, id), gt(uploads.expiresAt, sql`now()`)));
  return rows[0];
}

/** An account's own upload that is still valid; another's does not exist. */
export async function findUpload(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<UploadRow | undefined> {
  const found = await findOpenUpload(db, id);
  return found?.accountId === accountId ? found : undefined;
}

/** Writes that the file has arrived. False where it had before: an upload is put once. */
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

/** Forgets uploads past their time and returns their ids, so that their files can go. */
export async function deleteExpiredUploads(db: Queryable): Promise<string[]> {
  const rows = await db
    .delete(uploads)
    .where(lt(uploads.expiresAt, sql`now()`))
    .returning({ id: uploads.id });
  return rows.map((row) => row.id);
}
