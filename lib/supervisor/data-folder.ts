import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { tryLock } from "#scripts/lock.mjs";
import { StartError } from "./start-error.ts";

/** Who may hold a data folder: the running service, or an admin command that borrows its database. */
export type Holder = "service" | "admin";

/** A data folder that is ours alone until we end. */
export interface DataFolder {
  readonly path: string;
  readonly runFolder: string;
  release(): void;
}

/** Takes the data folder, or says who has it. Throws `StartError` where it cannot be made. */
export function claimDataFolder(
  path: string,
  as: Holder,
): DataFolder | { readonly holder: Holder } {
  const runFolder = join(path, "run");
  const lockFile = join(runFolder, "lock");
  makeDataFolder(path);
  return orStartError(path, () => {
    makeFolder(runFolder, 0o777);
    const release = tryLock(lockFile);
    if (!release)
      return { holder: readFileSync(lockFile, "utf8") === "admin" ? "admin" : "service" };
    writeFileSync(lockFile, as);
    return { path, runFolder, release };
  });
}

/** What customers' files lie in: for nobody but the service's own user, whoever made the data folder. */
const privateFolders = ["storage", "work"];

/** Makes the data folder and its private parts. Throws `StartError` where they cannot be made. */
export function makeDataFolder(path: string): void {
  orStartError(path, () => {
    // Others may pass through, as the database's own user has to, and list nothing.
    makeFolder(path, 0o711);
    for (const name of privateFolders) {
      const folder = join(path, name);
      if (!makeFolder(folder, 0o700)) closeToOthers(folder);
    }
  });
}

/**
 * Makes `path` and what lies above it; false where it is there. One by one: Node's own `recursive` goes
 * round for ever where a file system that takes no folders, such as /proc, answers ENOENT.
 */
function makeFolder(path: string, mode: number): boolean {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another part that starts at the same time was first.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return missing.length > 0;
}

function closeToOthers(folder: string): void {
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    // A mounted volume of someone else's, whose rights are theirs to set.
    if (!["EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function orStartError<Result>(path: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code) throw error;
    throw new StartError(`DATA_DIR: ${path} cannot be used: ${message}`);
  }
}

/** Takes the data folder for the service; an admin command that has it is waited for, it is short. */
export async function claimForService(path: string): Promise<DataFolder> {
  for (;;) {
    const claimed = claimDataFolder(path, "service");
    if (!("holder" in claimed)) return claimed;
    if (claimed.holder === "service") {
      throw new StartError(`DATA_DIR: ${path} is in use by another running Mediamill`);
    }
    await wait(100);
  }
}

/** The secret kept in the data folder, made on the first call; the same for all who call at once. */
export function keepSecret(dataDir: string): string {
  const file = join(dataDir, "secret");
  if (!existsSync(file)) {
    makeDataFolder(dataDir);
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(file, "utf8").trim();
}
