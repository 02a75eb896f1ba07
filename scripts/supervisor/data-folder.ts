import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { tryLock } from "../lock.mjs";
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
  try {
    // Others may pass through, as the database's own user has to, and list nothing.
    mkdirSync(path, { recursive: true, mode: 0o711 });
    mkdirSync(runFolder, { recursive: true });
    const release = tryLock(lockFile);
    if (!release)
      return { holder: readFileSync(lockFile, "utf8") === "admin" ? "admin" : "service" };
    writeFileSync(lockFile, as);
    return { path, runFolder, release };
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
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
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
