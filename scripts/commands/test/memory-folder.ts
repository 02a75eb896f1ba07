import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "#lib/engines/sandbox/folder/process-folder.ts";

/** A file system in memory that Linux mounts for all programs. */
const sharedMemory = "/dev/shm";

/** The prefix of a folder's name, followed by the id of the process that uses the folder. */
const prefix = "mediamill-tests-";

/** All tests together have one or two gigabytes of temporary files at a time. */
const defaultFreeBytes = 6 * 2 ** 30;

/**
 * Creates a folder in memory for the temporary files of the tests. Of the CPU time of tests on a disk, a twelfth
 * goes into files that live for a second. Undefined where there is no such file system, or where less than
 * `freeBytes` of it or of the memory are free.
 */
export function createMemoryFolder(freeBytes = defaultFreeBytes): string | undefined {
  if (process.platform !== "linux" || !allowsPrograms(sharedMemory)) return undefined;
  try {
    removeStaleFolders();
    const { bavail, bsize } = statfsSync(sharedMemory);
    if (Math.min(bavail * bsize, process.availableMemory()) < freeBytes) return undefined;
    const folder = mkdtempSync(join(sharedMemory, `${prefix}${process.pid}-`));
    // As `/tmp`: programs of other users have files in it, such as the database of a test that runs as root.
    chmodSync(folder, 0o1777);
    return folder;
  } catch {
    return undefined; // not writable
  }
}

/** Whether `folder` is a file system whose files may be executed: tests build programs. */
function allowsPrograms(folder: string): boolean {
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  const mount = mounts.map((line) => line.split(" ")).find(([, point]) => point === folder);
  return mount !== undefined && !mount[3]?.split(",").includes("noexec");
}

/** Removes what runs have left that were killed. */
function removeStaleFolders(): void {
  for (const name of readdirSync(sharedMemory)) {
    if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10)))
      continue;
    rmSync(join(sharedMemory, name), { recursive: true, force: true });
  }
}
