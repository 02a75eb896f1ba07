import type { ChildProcess } from "node:child_process";
import { times } from "#times";

/** The IPC message by which the supervisor asks a service whether its main thread runs. */
export interface PingMessage {
  readonly type: "ping";
}

/** The answer. The service sends it from its main thread, so a thread that is blocked sends none. */
export interface PongMessage {
  readonly type: "pong";
}

/** How often a service is asked. */
const intervalMs = 1000;

/**
 * Asks a service every second whether its main thread runs, and calls `onUnresponsive` once when it has not
 * answered for `times.unresponsiveSeconds`. The time is counted in checks of this process: if the whole
 * machine or only the supervisor was paused, that time counts as one check.
 *
 * @returns stops asking
 */
export function watchResponses(
  child: ChildProcess,
  onUnresponsive: (seconds: number) => void,
): () => void {
  let isAsked = false;
  let unansweredChecks = 0;
  const receive = (message: Partial<PongMessage>) => {
    if (message.type !== "pong") return;
    isAsked = false;
    unansweredChecks = 0;
  };
  const stop = () => {
    clearInterval(timer);
    child.off("message", receive);
  };
  const check = () => {
    if (isAsked) unansweredChecks++;
    if (unansweredChecks * intervalMs >= times.unresponsiveSeconds * 1000) {
      stop();
      onUnresponsive(times.unresponsiveSeconds);
    } else if (!isAsked && child.connected) {
      isAsked = true;
      const ping: PingMessage = { type: "ping" };
      // A service that cannot be asked has ended, or it gives no answer.
      child.send(ping, () => {});
    }
  };
  const timer = setInterval(check, intervalMs);
  child.on("message", receive);
  return stop;
}
