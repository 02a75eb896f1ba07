import { join } from "node:path";
import { tryLock } from "#lib/setup/lock.mjs";
import { projectFolder } from "#lib/setup/node24.mjs";
import { printLine } from "#lib/setup/progress.mjs";
import { StartError } from "./start-error.ts";

/** Processes that use the build share the lock on this file, and a process that replaces the build has it alone. */
const lockFile = join(projectFolder, "next.config.ts");

/**
 * Keeps other processes from replacing the build until the returned function is called, or this process ends.
 * Undefined while the build is replaced. Where files cannot be locked, prints that nothing keeps others from it.
 */
export function keepBuild(file: string = lockFile): (() => void) | undefined {
  try {
    return tryLock(file, { create: false, shared: true });
  } catch (error) {
    printLine(
      `Another start could replace the build while it is used: ${(error as Error).message}`,
    );
    return () => {};
  }
}

/** Replaces the build with `build`. Throws `StartError` if a process uses it: what it loads later would be gone. */
export async function replaceBuild(
  build: () => Promise<void>,
  file: string = lockFile,
): Promise<void> {
  const release = tryLock(file, { create: false });
  if (!release) {
    throw new StartError(
      "The sources have changed, and a running Mediamill uses the build of this folder. Stop it and start again, or start from a checkout of its own.",
    );
  }
  try {
    await build();
  } finally {
    release();
  }
}
