import type { ChildProcess } from "node:child_process";
import { times } from "#times";
import { readProcessorWait } from "./processor-wait.ts";

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
 * machine or only the supervisor was paused, that time counts as one check. The time in which the service
 * waited for a processor does not count: on a busy machine, a restart would only add to the work.
 *
 * @param readWait see `readProcessorWait`
 * @returns stops asking
 */
export function watchResponses(
  child: ChildProcess,
  onUnresponsive: (seconds: number) => void,
  readWait: (pid: number) => number = readProcessorWait,
): () => void {
  const pid = child.pid ?? 0;
  let isAsked = false;
  let unansweredMs = 0;
  let waitedMs = 0;
  const receive = (message: Partial<PongMessage>) => {
    if (message.type !== "pong") return;
    isAsked = false;
    unansweredMs = 0;
  };
  const stop = () => {
    clearInterval(timer);
    child.off("message", receive);
  };
  const check = () => {
    const waitedBefore = waitedMs;
    waitedMs = readWait(pid);
    if (isAsked) unansweredMs += Math.max(0, intervalMs - (waitedMs - waitedBefore));
    if (unansweredMs >= times.unresponsiveSeconds * 1000) {
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
