import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { uploads } from "../../schema/uploads/uploads.ts";

/**
 * The lock of an upload: the row names the request that writes to its file. A lock of rows and not of
 * sessions, because it lasts as long as a request, and a pooler gives sessions to others meanwhile.
 */

/** After so many seconds without a sign of life, a writer counts as dead. */
export const writerLeaseSeconds = 5;

/** What a writer is to do; `lost`: it is the writer no more. */
export type WriterState = "continue" | "end" | "lost";

/** Makes `writer` the writer of the upload, unless another one is alive: then it is asked to end. */
export async function acquireWriter(db: Queryable, id: string, writer: string): Promise<boolean> {
  const isFree = or(
    isNull(uploads.writer),
    sql`${uploads.writerSeenAt} < now() - make_interval(secs => ${writerLeaseSeconds})`,
  );
  const rows = await db
    .update(uploads)
    .set({ writer, writerSeenAt: sql`now()`, writerWanted: false })
    .where(and(eq(uploads.id, id), isFree))
    .returning({ id: uploads.id });
  if (rows.length > 0) return true;
  await db.update(uploads).set({ writerWanted: true }).where(eq(uploads.id, id));
  return false;
}

/** Reports that the writer is alive. */
export async function renewWriter(db: Queryable, id: string, writer: string): Promise<WriterState> {
  const rows = await db
    .update(uploads)
    .set({ writerSeenAt: sql`now()` })
    .where(isWriter(id, writer))
    .returning({ isWanted: uploads.writerWanted });
  if (!rows[0]) return "lost";
  return rows[0].isWanted ? "end" : "continue";
}

/** Records the offset up to which the file is stored. False if `writer` is the writer no more. */
export async function saveOffset(
  db: Queryable,
  id: string,
  writer: string,
  receivedBytes: number,
): Promise<boolean> {
  const rows = await db
    .update(uploads)
    .set({ receivedBytes, writerSeenAt: sql`now()` })
    .where(isWriter(id, writer))
    .returning({ id: uploads.id });
  return rows.length > 0;
}

/** Ends the writing, if `writer` is still the writer. */
export async function releaseWriter(db: Queryable, id: string, writer: string): Promise<void> {
  await db
    .update(uploads)
    .set({ writer: null, writerWanted: false })
    .where(and(eq(uploads.id, id), eq(uploads.writer, writer)));
}

/** An expired upload has no writer: its file is deleted at any time. */
function isWriter(id: string, writer: string) {
  return and(eq(uploads.id, id), eq(uploads.writer, writer), gt(uploads.expiresAt, sql`now()`));
}
