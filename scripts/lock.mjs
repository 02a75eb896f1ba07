import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";

/** O_EXLOCK and O_NONBLOCK of macOS's <sys/fcntl.h>; Node names neither as a lock. */
const macOpenLocked = 0x20 | 0x4;

/**
 * Takes the exclusive lock on a file, which is made if it is missing. The kernel drops the lock with
 * the process that holds it, however that process ends, so a lock is never stale.
 *
 * Linux: flock(1) locks the open file that it inherits from us, and the lock stays with ours.
 *
 * @param {string} path
 * @param {{ create?: boolean }} [options] `create: false` locks a file that must exist and is only read
 * @returns {(() => void) | undefined} releases it; undefined when another process holds it
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
 * Waits for the lock as long as it takes.
 *
 * @param {string} path
 * @param {{ create?: boolean, onWait?: () => void }} [options] `onWait` is called once if another holds it
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
