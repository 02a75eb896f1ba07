import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultPoint } from "#lib/no-faults.ts";

/**
 * What stands for `lib/no-faults.ts` in a process that was started with `--conditions=mediamill-test`.
 * Tests arm a moment by a file of its name in the folder `MEDIAMILL_FAULTS`; see `fault-plan.ts`.
 */

/** What a test wants to happen at a moment. */
export interface ArmedFault {
  /** `kill` ends this process as `kill -9` does; `hold` stops all of it until the test goes on. */
  readonly act: "kill" | "hold";
  /** Only where the moment's subject contains this. */
  readonly subject?: string;
  /** Which time it is reached by one process, from 1 on. */
  readonly hit?: number;
  /** Every time, in every process, until it is disarmed. */
  readonly always?: boolean;
}

const folder = process.env.MEDIAMILL_FAULTS;
const hits = new Map<string, number>();
const clock = new Int32Array(new SharedArrayBuffer(4));

export function faultPoint(moment: FaultPoint, subject = ""): void {
  if (!folder) return;
  const armed = join(folder, `${moment}.armed`);
  const fault = read(armed);
  if (!fault || !subject.includes(fault.subject ?? "")) return;
  const hit = (hits.get(moment) ?? 0) + 1;
  hits.set(moment, hit);
  if (hit < (fault.hit ?? 1)) return;
  const reached = join(folder, `${moment}.reached`);
  if (!fault.always && !take(armed, reached)) return;
  hits.delete(moment);
  writeFileSync(reached, String(process.pid));
  if (fault.act === "kill") process.kill(process.pid, "SIGKILL");
  while (existsSync(reached)) Atomics.wait(clock, 0, 0, 10);
}

function read(path: string): ArmedFault | undefined {
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // disarmed just now
    throw error;
  }
}

/** Of several processes that reach a moment at once, one takes it. */
function take(armed: string, reached: string): boolean {
  try {
    renameSync(armed, reached);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
