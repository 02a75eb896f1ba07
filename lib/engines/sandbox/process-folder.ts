import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { dataPath } from "#lib/env.ts";

const host = hostname().replaceAll(/[^A-Za-z0-9-]/g, "-");

/**
 * An absolute path in the folder that belongs to this process alone: work folders and the slots of
 * its warm engines. Several runners may share one `DATA_DIR`.
 */
export function processPath(...parts: string[]): string {
  return dataPath("work", `${host}.${process.pid}`, ...parts);
}

/** Removes this process's folder, at its end. */
export async function removeProcessFolder(): Promise<void> {
  await rm(processPath(), { recursive: true, force: true });
}

/** Removes the folders of processes of this machine that were killed before they could do it. */
export async function removeAbandonedFolders(): Promise<void> {
  const names = await readdir(dataPath("work")).catch(() => []);
  for (const name of names) {
    const pid = name.startsWith(`${host}.`) ? Number(name.slice(host.length + 1)) : Number.NaN;
    // This process's own number may have been a dead one's before.
    if (!Number.isInteger(pid) || (pid !== process.pid && isAlive(pid))) continue;
    await rm(join(dataPath("work"), name), { recursive: true, force: true });
  }
}

/** Whether a process of this id is there, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
