import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { tryLock } from "#lib/setup/lock.mjs";
import { StartError } from "./start-error.ts";

/** Who holds a data folder's lock: the running service, or an admin command that uses its database. */
export type LockHolder = "service" | "admin";

/** A data folder that this process has locked. The lock ends with the process at the latest. */
export interface DataFolder {
  readonly path: string;
  readonly runFolder: string;
  release(): void;
}

/** Locks the data folder, or returns its holder. Throws `StartError` if the folder cannot be created. */
export function lockDataFolder(
  path: string,
  as: LockHolder,
): DataFolder | { readonly holder: LockHolder } {
  const runFolder = join(path, "run");
  const lockFile = join(runFolder, "lock");
  createDataFolder(path);
  return orStartError(path, () => {
    createFolder(runFolder, 0o777);
    const release = tryLock(lockFile);
    if (!release)
      return { holder: readFileSync(lockFile, "utf8") === "admin" ? "admin" : "service" };
    writeFileSync(lockFile, as);
    return { path, runFolder, release };
  });
}

/** Folders of customers' files: accessible only to the service's user, even in a data folder that another user created. */
const privateFolders = ["storage", "work"];

/** Creates the data folder and its private subfolders. Throws `StartError` if that is not possible. */
export function createDataFolder(path: string): void {
  orStartError(path, () => {
    // Other users may traverse it, as the database's user must, but not list it.
    createFolder(path, 0o711);
    for (const name of privateFolders) {
      const folder = join(path, name);
      if (!createFolder(folder, 0o700)) restrictToOwner(folder);
    }
  });
}

/**
 * Creates `path` and its missing parents. False if it exists. Not with Node's `recursive`, which loops
 * forever on a file system without folder creation that returns ENOENT, such as /proc.
 */
function createFolder(path: string, mode: number): boolean {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process created it at the same time.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return missing.length > 0;
}

function restrictToOwner(folder: string): void {
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    // A mounted volume that another user owns, and whose permissions its owner sets.
    if (!["EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function orStartError<Result>(path: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code) throw error;
    throw new StartError(
      `DATA_DIR: ${path} cannot be used: ${message}; set DATA_DIR to a folder that this user can write to`,
    );
  }
}

/** Locks the data folder for the service. Waits for an admin command that holds it: those are short. */
export async function lockDataFolderForService(path: string): Promise<DataFolder> {
  for (;;) {
    const claimed = lockDataFolder(path, "service");
    if (!("holder" in claimed)) return claimed;
    if (claimed.holder === "service") {
      throw new StartError(
        `DATA_DIR: ${path} is in use by another running Mediamill; stop it, or set DATA_DIR to another folder`,
      );
    }
    await wait(100);
  }
}
