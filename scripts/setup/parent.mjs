/** How soon the end of npm is noticed. */
const intervalMs = 500;

/**
 * Calls `onGone` once when the process that started this one has ended: a killed npm sends no
 * signal. Watches npm, and the process at the other end of the IPC channel if there is one; a shell
 * that started us by hand may end and leave us running, as is usual.
 *
 * @param {() => void} onGone
 * @returns {() => void} ends the watch
 */
export function watchParent(onGone) {
  if (process.send) {
    process.once("disconnect", onGone);
    return () => process.off("disconnect", onGone);
  }
  if (!process.env.npm_lifecycle_event) return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
