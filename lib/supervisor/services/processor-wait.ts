import { readFileSync } from "node:fs";

/**
 * How long the main thread of a process has been ready to run without a processor, in milliseconds since its start;
 * 0 where the kernel does not count it. See `schedstat` in Linux' Documentation/scheduler/sched-stats.rst.
 */
export function readProcessorWait(pid: number): number {
  try {
    const [, waitedNs = "0"] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}
