import {
  and,
  count,
  eq,
  getTableColumns,
  gt,
  gte,
  isNull,
  lt,
  not,
  notInArray,
  or,
  sql,
  sum,
} from "drizzle-orm";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { Queryable } from "../../client.ts";
import { accounts } from "../../schema/accounts.ts";
import { uploads } from "../../schema/uploads/uploads.ts";
import { isOpenAccount } from "../accounts/accounts.ts";

export type UploadRow = typeof uploads.$inferSelect;

/** What is known of a file once it is received. */
export interface ReceivedFile {
  readonly type: MediaTypeId;
  readonly sha256: string | null;
  /** The `PUT` that sent it, if it was sent by one to this service. */
  readonly attempt: string | null;
  /** The store's version of it, if it was sent to the store itself. */
  readonly storeId?: string;
}

/** Limits on an account's unexpired uploads. */
export interface UnexpiredUploadLimits {
  readonly uploads: number;
  /** The bytes of all uploads together; null is unlimited. */
  readonly bytes: number | null;
  /** The browser token whose uploads count; by default all of the account count. */
  readonly tokenId?: string;
}

/**
 * Inserts an upload, in the caller's transaction, unless the unexpired uploads would exceed one of `limits`. Concurrent
 * inserts of one account run one after the other.
 */
export async function insertUpload(
  tx: Queryable,
  values: typeof uploads.$inferInsert,
  limits: readonly UnexpiredUploadLimits[],
): Promise<{ inserted: UploadRow } | { exceeded: UnexpiredUploadLimits }> {
  const { accountId } = values;
  await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const unexpired = and(eq(uploads.accountId, accountId), gt(uploads.expiresAt, sql`now()`));
  for (const limit of limits) {
    const { tokenId } = limit;
    const [sums] = await tx
      .select({ uploads: count(), bytes: sum(uploads.bytes).mapWith(Number) })
      .from(uploads)
      .where(and(unexpired, tokenId ? eq(uploads.tokenId, tokenId) : undefined));
    const bytes = (sums?.bytes ?? 0) + values.bytes;
    const isExceeded = (sums?.uploads ?? 0) >= limit.uploads || bytes > (limit.bytes ?? bytes);
    if (isExceeded) return { exceeded: limit };
  }
  const [inserted] = await tx.insert(uploads).values(values).returning();
  if (!inserted) throw new Error("an upload was not inserted");
  return { inserted };
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

/** Records the store's id of the unfinished file. False if it has one already. */
export async function setStoreId(db: Queryable, id: string, storeId: string): Promise<boolean> {
  const rows = await db
    .update(uploads)
    .set({ storeId })
    .where(and(eq(uploads.id, id), isNull(uploads.storeId)))
    .returning({ id: uploads.id });
  return rows.length > 0;
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

/** An upload of the account, also an expired one whose row is kept. */
export async function findUploadState(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<UploadRow | undefined> {
  const rows = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.id, id), eq(uploads.accountId, accountId)));
  return rows[0];
}

/** Ends an upload at once: its file can be deleted, and nothing is written to it any more. False if it had ended. */
export async function expireUpload(db: Queryable, id: string): Promise<boolean> {
  const rows = await db
    .update(uploads)
    .set({ expiresAt: sql`now()`, writer: null })
    .where(and(eq(uploads.id, id), gt(uploads.expiresAt, sql`now()`)))
    .returning({ id: uploads.id });
  return rows.length > 0;
}

/** Records that the file was received. False if it had been received before, or the upload has expired. */
export async function markReceived(
  db: Queryable,
  id: string,
  file: ReceivedFile,
): Promise<boolean> {
  const rows = await db
    .update(uploads)
    .set({ ...file, receivedAt: sql`now()` })
    .where(and(eq(uploads.id, id), isNull(uploads.receivedAt), gt(uploads.expiresAt, sql`now()`)))
    .returning({ id: uploads.id });
  return rows.length > 0;
}

/** How long the row of an expired upload is kept, so that its state can be read. */
const keptAfterExpiry = sql`interval '1 day'`;

const isPast = lt(uploads.expiresAt, sql`now() - ${keptAfterExpiry}`);

/** Whether the files were deleted when the upload was past. */
const isDeletedForGood = gte(
  uploads.filesDeletedAt,
  sql`${uploads.expiresAt} + ${keptAfterExpiry}`,
);

/**
 * Expired uploads whose files are to be deleted, of all accounts or of one, but none of `except`; at most 1000. Those that
 * are past are listed once more: a client that began to send to the object store itself cannot be stopped, so that a file
 * may have arrived after the deletion.
 */
export function listExpiredUploads(
  db: Queryable,
  {
    accountId,
    except,
  }: { readonly accountId?: string | undefined; readonly except: readonly string[] },
): Promise<UploadRow[]> {
  const isOwn = accountId === undefined ? undefined : eq(uploads.accountId, accountId);
  const isExpired = lt(uploads.expiresAt, sql`now()`);
  const isDue = or(isNull(uploads.filesDeletedAt), and(isPast, not(isDeletedForGood)));
  return db
    .select()
    .from(uploads)
    .where(and(isExpired, isDue, isOwn, notInArray(uploads.id, [...except])))
    .limit(1000);
}

/** Records that the files of an expired upload were deleted. */
export async function markUploadDeleted(db: Queryable, id: string): Promise<void> {
  await db.update(uploads).set({ filesDeletedAt: sql`now()` }).where(eq(uploads.id, id));
}

/** Deletes the rows of uploads whose files were deleted a day after they had expired, or later. */
export async function deleteExpiredUploads(db: Queryable): Promise<void> {
  await db.delete(uploads).where(and(isPast, isDeletedForGood));
}

/** All uploads of an account whose rows are kept. */
export function listUploads(db: Queryable, accountId: string): Promise<UploadRow[]> {
  return db.select().from(uploads).where(eq(uploads.accountId, accountId));
}
