import { watchParent } from "#lib/setup/watch-parent.mjs";

/** Two signals within this time are one: on Ctrl-C the terminal signals all processes and npm forwards it. */
const sameSignalMs = 1000;

/**
 * Calls `stop` once, with the reason, on a stop signal or when the parent process has ended. Exits with 0
 * when `stop` is done. A second signal exits at once, with 1.
 */
export function onStopSignal(stop: (reason: string) => Promise<void>): void {
  let signaledAt: number | undefined;
  const end = (reason: string) => {
    if (signaledAt !== undefined) {
      if (Date.now() - signaledAt > sameSignalMs) process.exit(1);
      return;
    }
    signaledAt = Date.now();
    stop(reason).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => end(signal));
  watchParent(() => end("the parent process ended"));
}
