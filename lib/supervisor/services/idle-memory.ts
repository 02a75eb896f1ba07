import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The share of the time that an idle process works: timers, heartbeats and probes. */
const idleShare = 0.05;

/**
 * Collects the garbage of this process each time that it has become idle, and so gives its memory back to the machine.
 * V8 collects garbage while a program works and needs memory, so that what is left of a start or of a busy time would
 * remain for hours.
 *
 * @param checkMs how often the process looks whether it is idle, in milliseconds
 */
export function returnIdleMemory(checkMs = 30_000): void {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  let wasIdle = false;
  let last = performance.eventLoopUtilization();
  const check = () => {
    const now = performance.eventLoopUtilization();
    const isIdle = performance.eventLoopUtilization(now, last).utilization < idleShare;
    last = now;
    if (isIdle && !wasIdle) collectGarbage();
    wasIdle = isIdle;
  };
  setInterval(check, checkMs).unref();
}
