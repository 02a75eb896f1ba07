import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { SetupError } from "./command.mjs";

/** O_EXLOCK, O_SHLOCK and O_NONBLOCK of macOS's <sys/fcntl.h>. Node has no constants for the locks. */
const macExclusive = 0x20;
const macShared = 0x10;
const macNonBlocking = 0x4;

/**
 * Takes a lock on a file, an exclusive one unless it is `shared` with other shared ones. Creates the file if it is
 * missing. The kernel releases the lock when the process ends, for any reason, so a lock is never stale. Throws
 * `SetupError` where files cannot be locked.
 *
 * On Linux, flock(1) locks the open file that it inherits. The lock stays with our file descriptor.
 *
 * @param {string} path
 * @param {{ create?: boolean, shared?: boolean }} [options]
 *   `create: false`: the file must exist and is opened read-only
 * @returns {(() => void) | undefined} releases the lock; undefined if another process holds it
 */
export function tryLock(path, { create = true, shared = false } = {}) {
  const flags = create ? constants.O_RDWR | constants.O_CREAT : constants.O_RDONLY;
  if (process.platform === "darwin") {
    return openLocked(path, flags | (shared ? macShared : macExclusive));
  }
  const file = openSync(path, flags, 0o600);
  const { status, stderr, error } = spawnSync("flock", ["-n", shared ? "-s" : "-x", "3"], {
    stdio: ["ignore", "ignore", "pipe", file],
    encoding: "utf8",
  });
  if (status === 0) return () => closeSync(file);
  closeSync(file);
  if (status === 1) return undefined;
  const isMissing = error && /** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT";
  if (isMissing) throw cannotLock(path, "the program flock (package util-linux) is missing");
  throw cannotLock(path, error?.message ?? (stderr.trim() || `flock exited with ${status}`));
}

/**
 * @param {string} path
 * @param {string} reason
 */
function cannotLock(path, reason) {
  return new SetupError(`${path} cannot be locked: ${reason}`);
}

/**
 * @param {string} path
 * @param {number} flags
 */
function openLocked(path, flags) {
  try {
    const file = openSync(path, flags | macNonBlocking, 0o600);
    return () => closeSync(file);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "EAGAIN") return undefined;
    throw code === "ENOTSUP" ? cannotLock(path, message) : error;
  }
}

/**
 * Waits for the lock without a time limit.
 *
 * @param {string} path
 * @param {{ create?: boolean, shared?: boolean, onWait?: () => void }} [options]
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
