import { and, desc, eq, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { storedFiles } from "../../schema/stored-files.ts";

/** Records that a file is about to be sent to the store, for `key`. */
export async function insertStoredFile(
  db: Queryable,
  values: { file: string; key: string },
): Promise<void> {
  await db.insert(storedFiles).values(values);
}

/** Makes the file the current one of its key. False if the key was removed meanwhile. */
export async function setCurrentFile(
  tx: Queryable,
  { file, key, remoteKey }: { file: string; key: string; remoteKey: string },
): Promise<boolean> {
  await unsetCurrentFile(tx, key);
  const rows = await tx
    .update(storedFiles)
    .set({ current: true, remoteKey })
    .where(and(eq(storedFiles.file, file), eq(storedFiles.key, key)))
    .returning({ file: storedFiles.file });
  return rows.length > 0;
}

/** The store's own key of the current file of `key`. Undefined if there is none. */
export async function findRemoteKey(db: Queryable, key: string): Promise<string | undefined> {
  const rows = await db
    .select({ remoteKey: storedFiles.remoteKey })
    .from(storedFiles)
    .where(and(eq(storedFiles.key, key), eq(storedFiles.current, true)))
    // If two runners wrote at the same time: the later file.
    .orderBy(desc(storedFiles.createdAt))
    .limit(1);
  return rows[0]?.remoteKey ?? undefined;
}

/** Makes the current file of one key the current file of another key as well. False if there is none. */
export async function copyFileKey(tx: Queryable, from: string, to: string): Promise<boolean> {
  // Locked, so that the file is not deleted with its last key before the new key exists.
  const rows = await tx
    .select({ file: storedFiles.file, remoteKey: storedFiles.remoteKey })
    .from(storedFiles)
    .where(and(eq(storedFiles.key, from), eq(storedFiles.current, true)))
    .for("share");
  const [source] = rows;
  if (!source) return false;
  await unsetCurrentFile(tx, to);
  await tx
    .insert(storedFiles)
    .values({ ...source, key: to, current: true })
    .onConflictDoUpdate({
      target: [storedFiles.file, storedFiles.key],
      set: { current: true },
    });
  return true;
}

/** Unsets the current files, so that from now on no key under `prefix/` has one. */
export async function unsetCurrentFiles(db: Queryable, prefix: string): Promise<void> {
  await db.update(storedFiles).set({ current: false }).where(isUnder(prefix));
}

/** Files under `prefix/` that are not the current file of any key. */
export async function listOrphans(db: Queryable, prefix: string): Promise<string[]> {
  const rows = await db
    .select({ file: storedFiles.file })
    .from(storedFiles)
    .where(
      sql`${isUnder(prefix)} and not exists (
        select 1 from stored_files other where other.file = ${storedFiles.file} and other.current)`,
    )
    .groupBy(storedFiles.file);
  return rows.map((row) => row.file);
}

/** Deletes the records under `prefix/` that are not current. */
export async function deleteUnusedFileKeys(db: Queryable, prefix: string): Promise<void> {
  await db.delete(storedFiles).where(and(isUnder(prefix), eq(storedFiles.current, false)));
}

async function unsetCurrentFile(tx: Queryable, key: string): Promise<void> {
  await tx
    .update(storedFiles)
    .set({ current: false })
    .where(and(eq(storedFiles.key, key), eq(storedFiles.current, true)));
}

/** The condition in byte order, as in the index: `0` is the character after `/`. */
function isUnder(prefix: string) {
  return sql`${storedFiles.key} ~>=~ ${`${prefix}/`} and ${storedFiles.key} ~<~ ${`${prefix}0`}`;
}
