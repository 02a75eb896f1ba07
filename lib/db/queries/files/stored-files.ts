import { and, desc, eq, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { storedFiles } from "../../schema/stored-files.ts";

/** Notes that a file is about to be sent to the store, for `key`. */
export async function noteFile(
  db: Queryable,
  values: { file: string; key: string },
): Promise<void> {
  await db.insert(storedFiles).values(values);
}

/** The file becomes what is under its key. False where the key was removed in the meantime. */
export async function showFile(
  tx: Queryable,
  { file, key, remoteKey }: { file: string; key: string; remoteKey: string },
): Promise<boolean> {
  await hideFile(tx, key);
  const rows = await tx
    .update(storedFiles)
    .set({ current: true, remoteKey })
    .where(and(eq(storedFiles.file, file), eq(storedFiles.key, key)))
    .returning({ file: storedFiles.file });
  return rows.length > 0;
}

/** What the store calls the file under `key`; undefined where there is none. */
export async function findRemoteKey(db: Queryable, key: string): Promise<string | undefined> {
  const rows = await db
    .select({ remoteKey: storedFiles.remoteKey })
    .from(storedFiles)
    .where(and(eq(storedFiles.key, key), eq(storedFiles.current, true)))
    // Two runners that wrote at the same moment: the later one's.
    .orderBy(desc(storedFiles.createdAt))
    .limit(1);
  return rows[0]?.remoteKey ?? undefined;
}

/** Puts the file of one key under another as well. False where there is none. */
export async function shareFile(tx: Queryable, from: string, to: string): Promise<boolean> {
  // Locked, so that nobody takes it for the last key of its file before the other one is there.
  const rows = await tx
    .select({ file: storedFiles.file, remoteKey: storedFiles.remoteKey })
    .from(storedFiles)
    .where(and(eq(storedFiles.key, from), eq(storedFiles.current, true)))
    .for("share");
  const [source] = rows;
  if (!source) return false;
  await hideFile(tx, to);
  await tx
    .insert(storedFiles)
    .values({ ...source, key: to, current: true })
    .onConflictDoUpdate({
      target: [storedFiles.file, storedFiles.key],
      set: { current: true },
    });
  return true;
}

/** Nothing under `prefix/` is found from now on. */
export async function hideFiles(db: Queryable, prefix: string): Promise<void> {
  await db.update(storedFiles).set({ current: false }).where(isUnder(prefix));
}

/** Files with a hidden key under `prefix/` that no other key shows. */
export async function listOrphans(db: Queryable, prefix: string): Promise<string[]> {
  const rows = await db
    .select({ file: storedFiles.file })
    .from(storedFiles)
    .where(
      sql`${isUnder(prefix)} and not exists (
        select 1 from stored_files shown where shown.file = ${storedFiles.file} and shown.current)`,
    )
    .groupBy(storedFiles.file);
  return rows.map((row) => row.file);
}

/** Forgets the hidden keys under `prefix/`. */
export async function forgetFiles(db: Queryable, prefix: string): Promise<void> {
  await db.delete(storedFiles).where(and(isUnder(prefix), eq(storedFiles.current, false)));
}

async function hideFile(tx: Queryable, key: string): Promise<void> {
  await tx
    .update(storedFiles)
    .set({ current: false })
    .where(and(eq(storedFiles.key, key), eq(storedFiles.current, true)));
}

/** In byte order, as the index has it: `0` is the character after `/`. */
function isUnder(prefix: string) {
  return sql`${storedFiles.key} ~>=~ ${`${prefix}/`} and ${storedFiles.key} ~<~ ${`${prefix}0`}`;
}
