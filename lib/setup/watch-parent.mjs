/** How often the parent process is checked. */
const intervalMs = 500;

/**
 * Calls `onEnd` once when the parent process has ended, because a killed npm sends no signal. Watches the
 * process at the other end of the IPC channel if there is one, else npm. An interactive shell is not
 * watched: it may end and leave this process running.
 *
 * @param {() => void} onEnd
 * @returns {() => void} stops watching
 */
export function watchParent(onEnd) {
  if (process.send) {
    process.once("disconnect", onEnd);
    return () => process.off("disconnect", onEnd);
  }
  if (!process.env.npm_lifecycle_event) return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
