import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "./command.mjs";
import { tryLock, waitForLock } from "./lock.mjs";
import { projectFolder } from "./node24.mjs";
import { printLine } from "./progress.mjs";

/**
 * Processes that use the build share a lock on the project folder, and a process that replaces the build or the
 * packages has it alone. On the folder itself: Git replaces the files in it, and with them their locks. A process that
 * uses the packages only shares a lock on their folder, which npm keeps.
 */

const packagesFolder = join(projectFolder, "node_modules");

/**
 * Keeps other processes from replacing the build and the packages until the returned function is called, or this
 * process ends. Waits while they are replaced. Where the folder cannot be locked, prints that nothing keeps others
 * from it.
 *
 * @param {string} [folder]
 * @returns {Promise<() => void>}
 */
export async function keepProject(folder = projectFolder) {
  try {
    return await waitForLock(folder, {
      create: false,
      shared: true,
      onWait: () =>
        printLine("Another process is replacing what is installed here; waiting for it …"),
    });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    printLine(`Another start could replace the build while it is used: ${message}`);
    return () => {};
  }
}

/** Keeps other processes from replacing the packages, as `keepProject` does; the build may be replaced. */
export function keepPackages() {
  return keepProject(packagesFolder);
}

/**
 * Replaces the packages with `replace`. Throws `SetupError` if a process uses them.
 *
 * @param {() => Promise<void>} replace
 */
export async function replacePackages(replace) {
  const reason = "The packages have changed";
  mkdirSync(packagesFolder, { recursive: true });
  await replaceInProject(reason, () => replaceInProject(reason, replace, packagesFolder));
}

/**
 * Replaces the build or the packages with `replace`. Throws `SetupError` if a process uses them: what it loads later
 * would be gone.
 *
 * @param {string} reason like "The sources have changed"
 * @param {() => Promise<void>} replace
 * @param {string} [folder]
 */
export async function replaceInProject(reason, replace, folder = projectFolder) {
  const release = tryLock(folder, { create: false });
  if (!release) {
    throw new SetupError(
      `${reason}, and a running Mediamill uses this folder. Stop it and start again, or start from a checkout of its own.`,
    );
  }
  try {
    await replace();
  } finally {
    release();
  }
}
