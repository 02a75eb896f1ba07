import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultPoint } from "#lib/no-faults.ts";

/**
 * Replaces `lib/no-faults.ts` in a process that was started with `--conditions=mediamill-test`.
 * Tests arm a fault point with a file of its name in the folder `MEDIAMILL_FAULTS`; see `plan.ts`.
 */

/** What happens at a fault point. */
export interface ArmedFault {
  /** `kill` ends this process as `kill -9` does; `hold` blocks the process until the test releases it. */
  readonly action: "kill" | "hold";
  /** Applies only if the subject of the fault point contains this text. */
  readonly subject?: string;
  /** Applies when one process reaches the fault point for the nth time; counted from 1. */
  readonly hit?: number;
  /** Applies every time, in every process, until the test disarms it. */
  readonly always?: boolean;
}

const folder = process.env.MEDIAMILL_FAULTS;
const hits = new Map<string, number>();
const neverNotified = new Int32Array(new SharedArrayBuffer(4));

export function faultPoint(point: FaultPoint, subject = ""): void {
  if (!folder) return;
  const armed = join(folder, `${point}.armed`);
  const fault = read(armed);
  if (!fault || !subject.includes(fault.subject ?? "")) return;
  const hit = (hits.get(point) ?? 0) + 1;
  hits.set(point, hit);
  if (hit < (fault.hit ?? 1)) return;
  const reached = join(folder, `${point}.reached`);
  if (!fault.always && !take(armed, reached)) return;
  hits.delete(point);
  writeFileSync(reached, String(process.pid));
  if (fault.action === "kill") process.kill(process.pid, "SIGKILL");
  while (existsSync(reached)) Atomics.wait(neverNotified, 0, 0, 10);
}

function read(path: string): ArmedFault | undefined {
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // disarmed in between
    throw error;
  }
}

/** If several processes reach a fault point at once, the fault applies to only one of them. */
function take(armed: string, reached: string): boolean {
  try {
    renameSync(armed, reached);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
