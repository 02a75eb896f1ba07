import { existsSync, readFileSync } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type DatabaseSnapshot, exportDatabase } from "#lib/db/backup/export-database.ts";
import type { BackupTable } from "#lib/db/backup/tables.ts";
import { sessionUrl } from "#lib/db/connection.ts";
import { dataPath, env } from "#lib/env.ts";
import { inputFolder } from "#lib/jobs/storage-keys.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { secretFiles } from "#lib/supervisor/start/secrets.ts";
import { AdminError } from "../arguments.ts";
import { ArchiveWriter } from "./archive.ts";
import { type BackupResult, backupFormat, entryNames, type Manifest } from "./manifest.ts";
import { holdFiles, listFiles, openStored, releaseFiles } from "./stored-files.ts";

/** Rows are compressed and written in pieces of about this length. */
const pieceBytes = 4 * 1024 ** 2;

/**
 * Writes the database, the files of local storage and the generated secret to `file`, while services run. The
 * database is that of one point in time. What a job needs that had not ended then is kept although it ends meanwhile.
 */
export async function createBackup(file: string): Promise<BackupResult> {
  if (existsSync(file)) throw new AdminError(`${file} exists already; choose another name.`);
  const draft = `${file}.${process.pid}.part`;
  const archive = new ArchiveWriter(draft);
  const storage = env.STORAGE === "local" ? dataPath("storage") : undefined;
  const unfinished = new Set<string>();
  let held: string | undefined;
  let files = 0;
  try {
    await exportDatabase(sessionUrl(), async (snapshot) => {
      for (const id of snapshot.unfinishedJobs) unfinished.add(id);
      held = storage && (await holdFiles(storage, snapshot.unfinishedJobs.map(inputFolder)));
      await addDatabase(archive, snapshot);
    });
    if (storage && held) {
      files += await addFiles(archive, held, () => true);
      files += await addFiles(archive, storage, (key) => !unfinished.has(key.split("/")[1] ?? ""));
    }
    await archive.close();
    await rename(draft, file);
  } catch (error) {
    archive.abort();
    await rm(draft, { force: true });
    throw error;
  } finally {
    if (held) await releaseFiles(held);
  }
  const { size } = await stat(file);
  return { file, bytes: size, files, secret: secretOfBackup(), storage: env.STORAGE };
}

const secretOfBackup = () => (env.SECRET ? "environment" : "included");

async function addDatabase(archive: ArchiveWriter, snapshot: DatabaseSnapshot): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as {
    version: string;
  };
  const manifest: Manifest = {
    format: backupFormat,
    created_at: new Date().toISOString(),
    version,
    migration: snapshot.migration,
    storage: env.STORAGE,
    secret: secretOfBackup(),
    tables: snapshot.tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
  };
  await addBytes(archive, entryNames.manifest, Buffer.from(`${JSON.stringify(manifest)}\n`));
  if (!env.SECRET) await addSecrets(archive);
  for (const table of snapshot.tables) await addTable(archive, snapshot, table);
}

async function addSecrets(archive: ArchiveWriter): Promise<void> {
  const { current, previous } = secretFiles(env.DATA_DIR);
  if (existsSync(current)) await addBytes(archive, entryNames.secret, readFileSync(current));
  if (existsSync(previous)) {
    await addBytes(archive, entryNames.secretPrevious, readFileSync(previous));
  }
}

async function addTable(
  archive: ArchiveWriter,
  snapshot: DatabaseSnapshot,
  table: BackupTable,
): Promise<void> {
  let rows: Buffer[] = [];
  let bytes = 0;
  let pieces = 0;
  const flush = async () => {
    if (bytes === 0) return;
    const name = `${entryNames.database}${table.name}/${String(++pieces).padStart(6, "0")}.copy.gz`;
    await addBytes(archive, name, await promisify(gzip)(Buffer.concat(rows)));
    rows = [];
    bytes = 0;
  };
  for await (const row of snapshot.read(table)) {
    rows.push(row);
    bytes += row.length;
    if (bytes >= pieceBytes) await flush();
  }
  await flush();
}

function addBytes(archive: ArchiveWriter, name: string, bytes: Buffer): Promise<void> {
  return archive.add(name, bytes.length, bytes);
}

/** Adds the files of a folder whose key `wanted` accepts. A file that is deleted meanwhile is left out. */
async function addFiles(
  archive: ArchiveWriter,
  folder: string,
  wanted: (key: string) => boolean,
): Promise<number> {
  let count = 0;
  for await (const { key, path } of listFiles(folder)) {
    const file = wanted(key) ? await openStored(path) : undefined;
    if (!file) continue;
    try {
      const { size } = await file.stat();
      const content = size === 0 ? Buffer.alloc(0) : file.createReadStream({ autoClose: false });
      await archive.add(`${entryNames.storage}${key}`, size, content);
      count++;
    } finally {
      await file.close();
    }
  }
  return count;
}
