import { and, eq, exists, gt, isNull, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { uploadPartWriters as writers } from "../../schema/uploads/upload-part-writers.ts";
import { uploads } from "../../schema/uploads/uploads.ts";
import { type WriterState, writerLeaseSeconds } from "./upload-writers.ts";

/**
 * The locks of the parts of uploads: the row of a part names the one request that writes it. Without them, a
 * request that was given up could still write over a part that was sent again, and change a complete file.
 */

/** A part of an upload, from 1. */
export interface PartOf {
  readonly uploadId: string;
  readonly number: number;
}

/** Makes `writer` the writer of the part, unless another one is alive: then it is asked to end. */
export async function acquirePartWriter(
  db: Queryable,
  part: PartOf,
  writer: string,
): Promise<boolean> {
  const rows = await db
    .insert(writers)
    .values({ ...part, writer, seenAt: sql`now()` })
    .onConflictDoUpdate({
      target: [writers.uploadId, writers.number],
      set: { writer, seenAt: sql`now()`, isWanted: false },
      setWhere: sql`${writers.seenAt} < now() - make_interval(secs => ${writerLeaseSeconds})`,
    })
    .returning({ number: writers.number });
  if (rows.length > 0) return true;
  await db.update(writers).set({ isWanted: true }).where(isPart(part));
  return false;
}

/** Reports that the writer is alive. Nothing is written to an upload that is complete, expired or deleted. */
export async function renewPartWriter(
  db: Queryable,
  part: PartOf,
  writer: string,
): Promise<WriterState> {
  const upload = db.select({ id: uploads.id }).from(uploads).where(isOpen(part.uploadId));
  const rows = await db
    .update(writers)
    .set({ seenAt: sql`now()` })
    .where(and(isWriter(part, writer), exists(upload)))
    .returning({ isWanted: writers.isWanted });
  if (!rows[0]) return "lost";
  return rows[0].isWanted ? "end" : "continue";
}

export async function releasePartWriter(
  db: Queryable,
  part: PartOf,
  writer: string,
): Promise<void> {
  await db.delete(writers).where(isWriter(part, writer));
}

/**
 * Records that a part is about to be written: until it is stored, it counts as missing. False if the upload
 * is complete, is being finished, or has ended.
 */
export async function beginPart(db: Queryable, { uploadId, number }: PartOf): Promise<boolean> {
  const rows = await db
    .update(uploads)
    .set({ receivedParts: withoutPart(number) })
    .where(and(isOpen(uploadId), isNull(uploads.writer)))
    .returning({ id: uploads.id });
  return rows.length > 0;
}

/** Records that `writer` has stored the part. False if it is its writer no more, or the upload has ended. */
export async function addReceivedPart(
  db: Queryable,
  part: PartOf,
  writer: string,
): Promise<boolean> {
  const { uploadId, number } = part;
  const own = db.select({ number: writers.number }).from(writers).where(isWriter(part, writer));
  const rows = await db
    .update(uploads)
    .set({ receivedParts: sql`array_append(${withoutPart(number)}, ${number}::int)` })
    .where(and(isOpen(uploadId), exists(own)))
    .returning({ id: uploads.id });
  return rows.length > 0;
}

const withoutPart = (number: number) =>
  sql<number[]>`array_remove(${uploads.receivedParts}, ${number}::int)`;

/** An upload that is neither complete nor expired. */
function isOpen(uploadId: string) {
  return and(
    eq(uploads.id, uploadId),
    isNull(uploads.receivedAt),
    gt(uploads.expiresAt, sql`now()`),
  );
}

function isPart({ uploadId, number }: PartOf) {
  return and(eq(writers.uploadId, uploadId), eq(writers.number, number));
}

function isWriter(part: PartOf, writer: string) {
  return and(isPart(part), eq(writers.writer, writer));
}
