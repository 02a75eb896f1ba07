import { watchParent } from "#scripts/setup/watch-parent.mjs";

/** Grace period after the supervisor was killed. Short, because the database ends at the same time. */
const orphanGracePeriodMs = 2000;

/**
 * Runs this process as a service: it stops on a signal, or when its parent process has ended, and then
 * exits with 0.
 *
 * @param onStop finishes or returns the work in progress; called once
 * @returns `ready` reports to the supervisor that the service is ready
 */
export function runAsService({ onStop }: { onStop: () => Promise<void> }): { ready(): void } {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    onStop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
  watchParent(() => {
    if (process.send) setTimeout(() => process.exit(1), orphanGracePeriodMs);
    stop();
  });
  return { ready: () => process.send?.({ type: "ready" }) };
}
