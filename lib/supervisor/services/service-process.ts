import { watchParent } from "#lib/setup/watch-parent.mjs";
import { returnIdleMemory } from "./idle-memory.ts";
import type { ReadyMessage } from "./launch-node-service.ts";
import type { PingMessage, PongMessage } from "./watch-responses.ts";

/** Grace period after the supervisor was killed. Short, because the database ends at the same time. */
const orphanGracePeriodMs = 2000;

/**
 * Runs this process as a service: it stops on a signal, or when its parent process has ended, and then
 * exits with 0. When it has nothing to do, it gives memory back. Its main thread answers the pings of the supervisor, which kills a service that does not.
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
  process.on("message", (message: Partial<PingMessage>) => {
    if (message.type === "ping") send({ type: "pong" });
  });
  returnIdleMemory();
  return { ready: () => send({ type: "ready" }) };
}

/** Sends to the supervisor, if there is one. That it has ended is handled elsewhere. */
function send(message: ReadyMessage | PongMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
