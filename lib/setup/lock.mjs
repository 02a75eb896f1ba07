import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";

/** O_EXLOCK | O_NONBLOCK of macOS's <sys/fcntl.h>. Node has no constant for O_EXLOCK. */
const macOpenLocked = 0x20 | 0x4;

/**
 * Takes an exclusive lock on a file. Creates the file if it is missing. The kernel releases the lock when
 * the process ends, for any reason, so a lock is never stale.
 *
 * On Linux, flock(1) locks the open file that it inherits. The lock stays with our file descriptor.
 *
 * @param {string} path
 * @param {{ create?: boolean }} [options] `create: false`: the file must exist and is opened read-only
 * @returns {(() => void) | undefined} releases the lock; undefined if another process holds it
 */
export function tryLock(path, { create = true } = {}) {
  const flags = create ? constants.O_RDWR | constants.O_CREAT : constants.O_RDONLY;
  if (process.platform === "darwin") return openLocked(path, flags);
  const file = openSync(path, flags, 0o600);
  const { status, error } = spawnSync("flock", ["-n", "-x", "3"], {
    stdio: ["ignore", "ignore", "ignore", file],
  });
  if (status === 0) return () => closeSync(file);
  closeSync(file);
  if (status === 1) return undefined;
  throw new Error("flock (package util-linux) is needed to lock files", { cause: error });
}

/**
 * @param {string} path
 * @param {number} flags
 */
function openLocked(path, flags) {
  try {
    const file = openSync(path, flags | macOpenLocked, 0o600);
    return () => closeSync(file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EAGAIN") return undefined;
    throw error;
  }
}

/**
 * Waits for the lock without a time limit.
 *
 * @param {string} path
 * @param {{ create?: boolean, onWait?: () => void }} [options]
 *   `onWait` is called once if another process holds the lock
 * @returns {Promise<() => void>}
 */
export async function waitForLock(path, { onWait, ...options } = {}) {
  for (let waited = false; ; waited = true) {
    const release = tryLock(path, options);
    if (release) return release;
    if (!waited) onWait?.();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
