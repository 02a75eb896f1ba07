import { watchParent } from "#scripts/setup/parent.mjs";

/** How long a part has to let go when its supervisor was killed: the database ends at the same time. */
const orphanedMs = 2000;

/**
 * Makes this process a part of the service: it stops when it is told to, or when whoever started it
 * is gone, and then exits with 0.
 *
 * @param onStop finishes or hands back what runs; called once
 * @returns `ready` tells the supervisor that the part serves
 */
export function startPart({ onStop }: { onStop: () => Promise<void> }): { ready(): void } {
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
    if (process.send) setTimeout(() => process.exit(1), orphanedMs);
    stop();
  });
  return { ready: () => process.send?.({ type: "ready" }) };
}
