import { watchParent } from "#scripts/setup/parent.mjs";

/** npm passes Ctrl-C on though the terminal sent it to everyone: two signals at once are one. */
const sameSignalMs = 1000;

/**
 * Calls `stop` once, with the reason, when this process is told to end or has lost the one that started it, and exits
 * with 0 when it is done. A person who asks again gets the end at once.
 */
export function onStopSignal(stop: (why: string) => Promise<void>): void {
  let askedAt: number | undefined;
  const end = (why: string) => {
    if (askedAt !== undefined) {
      if (Date.now() - askedAt > sameSignalMs) process.exit(1);
      return;
    }
    askedAt = Date.now();
    stop(why).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => end(signal));
  watchParent(() => end("whoever started it is gone"));
}
