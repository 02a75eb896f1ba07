import { and, count, desc, eq, lt, ne, or, sql } from "drizzle-orm";
import { channels } from "../../channels.ts";
import { notify, type Queryable } from "../../client.ts";
import { imageCacheSegments } from "../../schema/images/image-cache-segments.ts";
import { imagePurges } from "../../schema/images/image-purges.ts";

export type CacheSegment = Pick<typeof imageCacheSegments.$inferSelect, "id" | "folder" | "bytes">;

const columns = {
  id: imageCacheSegments.id,
  folder: imageCacheSegments.folder,
  bytes: imageCacheSegments.bytes,
};

/** All segments, newest first. */
export function listSegments(db: Queryable): Promise<CacheSegment[]> {
  return db.select(columns).from(imageCacheSegments).orderBy(desc(imageCacheSegments.id));
}

/** Begins a segment, unless there is one after `last`. */
export async function beginSegment(db: Queryable, last: number): Promise<void> {
  await db.execute(sql`
    insert into image_cache_segments (folder, bytes)
    select gen_random_uuid()::text, 0 where not exists (select from image_cache_segments where id > ${last}::int)`);
}

/** Counts a picture in its segment. Returns the segment's bytes; undefined if it has been removed. */
export async function addToSegment(
  db: Queryable,
  id: number,
  bytes: number,
): Promise<number | undefined> {
  const rows = await db
    .update(imageCacheSegments)
    .set({ bytes: sql`${imageCacheSegments.bytes} + ${bytes}` })
    .where(eq(imageCacheSegments.id, id))
    .returning({ bytes: imageCacheSegments.bytes });
  return rows[0]?.bytes;
}

/** Removes a segment. False if it has been removed before. */
export async function deleteSegment(db: Queryable, id: number): Promise<boolean> {
  const rows = await db
    .delete(imageCacheSegments)
    .where(eq(imageCacheSegments.id, id))
    .returning({ id: imageCacheSegments.id });
  return rows.length > 0;
}

export type ImagePurge = Pick<typeof imagePurges.$inferSelect, "kind" | "value" | "purgedAt">;

/**
 * Records that pictures of a source, or of all sources with a prefix, are not used any more. A prefix replaces what it
 * covers. False if the account has `max` purges already: roll back then.
 */
export async function insertPurge(
  db: Queryable,
  accountId: string,
  { kind, value, purgedAt }: ImagePurge,
  max: number,
): Promise<boolean> {
  const isOwn = eq(imagePurges.accountId, accountId);
  if (kind === "prefix") {
    await db
      .delete(imagePurges)
      .where(and(isOwn, sql`starts_with(${imagePurges.value}, ${value}::text)`));
  }
  const isOther = or(ne(imagePurges.kind, kind), ne(imagePurges.value, value));
  const [others] = await db.select({ count: count() }).from(imagePurges).where(and(isOwn, isOther));
  if ((others?.count ?? 0) >= max) return false;
  await db
    .insert(imagePurges)
    .values({ accountId, kind, value, purgedAt })
    .onConflictDoUpdate({
      target: [imagePurges.accountId, imagePurges.kind, imagePurges.value],
      set: { purgedAt },
    });
  await notify(db, channels.imagesChanged, accountId);
  return true;
}

export function listPurges(db: Queryable, accountId: string): Promise<ImagePurge[]> {
  const { kind, value, purgedAt } = imagePurges;
  return db
    .select({ kind, value, purgedAt })
    .from(imagePurges)
    .where(eq(imagePurges.accountId, accountId));
}

/** Deletes the purges of prefixes that are older than the oldest segment by `seconds`. */
export async function deletePrefixPurges(db: Queryable, seconds: number): Promise<void> {
  const { kind, purgedAt } = imagePurges;
  const oldest = sql`(select coalesce(min(created_at), now()) from image_cache_segments)`;
  const end = sql`${oldest} - make_interval(secs => ${seconds})`;
  await db.delete(imagePurges).where(and(eq(kind, "prefix"), lt(purgedAt, end)));
}

export type SourcePurge = Pick<typeof imagePurges.$inferSelect, "accountId" | "value" | "purgedAt">;

/** Purges of sources that are older than `seconds`, of all accounts, at most `limit`. */
export function listSourcePurges(
  db: Queryable,
  seconds: number,
  limit: number,
): Promise<SourcePurge[]> {
  const { accountId, kind, value, purgedAt } = imagePurges;
  return db
    .select({ accountId, value, purgedAt })
    .from(imagePurges)
    .where(and(eq(kind, "source"), lt(purgedAt, sql`now() - make_interval(secs => ${seconds})`)))
    .limit(limit);
}

/** Deletes the purge of a source, unless it was purged again. */
export async function deleteSourcePurge(
  db: Queryable,
  { accountId, value, purgedAt }: SourcePurge,
): Promise<void> {
  await db
    .delete(imagePurges)
    .where(
      and(
        eq(imagePurges.accountId, accountId),
        eq(imagePurges.kind, "source"),
        eq(imagePurges.value, value),
        eq(imagePurges.purgedAt, purgedAt),
      ),
    );
}
