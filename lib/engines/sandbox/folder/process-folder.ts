import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { dataPath } from "#lib/env.ts";

const host = hostname().replaceAll(/[^A-Za-z0-9-]/g, "-");

/**
 * An absolute path in the folder of this process, which contains its work folders and the slot
 * folders of its warm engines. Several runners may share one `DATA_DIR`.
 */
export function processPath(...parts: string[]): string {
  return dataPath("work", `${host}.${process.pid}`, ...parts);
}

/** Removes the folder of this process, when it stops. */
export async function removeProcessFolder(): Promise<void> {
  await rm(processPath(), { recursive: true, force: true });
}

/**
 * Removes the folders of processes of this machine that were killed before they could remove them.
 */
export async function removeStaleProcessFolders(): Promise<void> {
  const names = await readdir(dataPath("work")).catch(() => []);
  for (const name of names) {
    const pid = name.startsWith(`${host}.`) ? Number(name.slice(host.length + 1)) : Number.NaN;
    // The pid of this process may have belonged to a killed process before.
    if (!Number.isInteger(pid) || (pid !== process.pid && isAlive(pid))) continue;
    await rm(join(dataPath("work"), name), { recursive: true, force: true });
  }
}

/** Whether a process with this id exists, owned by any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
