import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import {
  type DatabaseImport,
  importDatabase,
  isEmptyDatabase,
} from "#lib/db/backup/import-database.ts";
import { sessionUrl } from "#lib/db/connection.ts";
import { dataPath, env } from "#lib/env.ts";
import { checkKey } from "#lib/storage/port.ts";
import { secretFiles } from "#lib/supervisor/start/secrets.ts";
import { AdminError } from "../arguments.ts";
import { type ArchiveEntry, readAll, readArchive } from "./archive.ts";
import { type BackupResult, entryNames, type Manifest, manifestSchema } from "./manifest.ts";

/**
 * Restores a backup into an empty database and an empty data folder. Either all of it is restored, or nothing.
 * Jobs that ran at the time of the backup run again.
 */
export async function restoreBackup(file: string): Promise<BackupResult> {
  if (!existsSync(file)) throw new AdminError(`There is no file ${file}.`);
  await requireEmpty();
  const entries = readArchive(file);
  const manifest = await readManifest(entries);
  if (manifest.storage !== env.STORAGE) {
    throw new AdminError(
      `STORAGE: must be ${manifest.storage}, as in the service of which the backup is.`,
    );
  }
  const secrets = new Map<string, Buffer>();
  let files = 0;
  try {
    await importDatabase(sessionUrl(), manifest.migration, async (database) => {
      for await (const entry of entries) {
        const { name, content } = entry;
        if (name.startsWith(entryNames.database)) await restoreRows(manifest, database, entry);
        else if (name.startsWith(entryNames.storage)) files += await restoreFile(database, entry);
        else secrets.set(name, await readAll(content));
      }
      await writeSecrets(secrets);
    });
  } catch (error) {
    await removeRestored();
    throw error;
  }
  const { created_at, secret, storage } = manifest;
  return { restored: file, created_at, files, secret, storage };
}

/** Throws `AdminError` if something could be overwritten. */
async function requireEmpty(): Promise<void> {
  const { current } = secretFiles(env.DATA_DIR);
  const stored = existsSync(dataPath("storage")) ? await readdir(dataPath("storage")) : [];
  if (existsSync(current) || stored.length > 0) {
    throw new AdminError(`${env.DATA_DIR} is not empty: restore into an empty DATA_DIR.`);
  }
  if (!(await isEmptyDatabase(sessionUrl()))) {
    throw new AdminError("The database is not empty: restore into an empty database.");
  }
}

async function readManifest(entries: AsyncGenerator<ArchiveEntry>): Promise<Manifest> {
  try {
    const { value: first } = await entries.next();
    if (first?.name !== entryNames.manifest) throw new Error("the first entry is another one");
    return manifestSchema.parse(JSON.parse((await readAll(first.content)).toString()));
  } catch (cause) {
    throw new AdminError("The file is not a backup of this service, or of a newer version.", {
      cause,
    });
  }
}

async function restoreRows(
  { tables }: Manifest,
  database: DatabaseImport,
  { name, content }: ArchiveEntry,
): Promise<void> {
  const table = tables.find((one) => name.startsWith(`${entryNames.database}${one.name}/`));
  if (!table) throw new Error("the backup has rows of an unknown table");
  await database.write(table, await promisify(gunzip)(await readAll(content)));
}

/**
 * Restores a file. Returns 1, or 0 for a file that was stored after the time of the backup, and
 * belongs to nothing.
 */
async function restoreFile(
  database: DatabaseImport,
  { name, content }: ArchiveEntry,
): Promise<number> {
  const key = checkKey(name.slice(entryNames.storage.length));
  if (!(await database.hasOwner(key))) return 0;
  const path = dataPath("storage", key);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(content, createWriteStream(path, { flags: "wx", flush: true }));
  return 1;
}

async function writeSecrets(secrets: ReadonlyMap<string, Buffer>): Promise<void> {
  const { current, previous } = secretFiles(env.DATA_DIR);
  const secret = secrets.get(entryNames.secret);
  const before = secrets.get(entryNames.secretPrevious);
  if (before) await writeFile(previous, before, { mode: 0o600 });
  if (secret) await writeFile(current, secret, { mode: 0o600 });
}

/** Deletes what was restored before a failure: all of it was empty before. */
async function removeRestored(): Promise<void> {
  const { current, previous } = secretFiles(env.DATA_DIR);
  const storage = dataPath("storage");
  const names = existsSync(storage) ? await readdir(storage) : [];
  const paths = [current, previous, ...names.map((name) => join(storage, name))];
  for (const path of paths) await rm(path, { recursive: true, force: true });
}
