import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Killed processes end within milliseconds; one that waits for a disk takes longer. */
const maxWaitMs = 10_000;

/**
 * Resolves when no process of the process group `id` is left. At the level `strict`, no process of an
 * engine can leave the group. Throws if the processes do not end within 10 s.
 */
export async function waitForGroupEnd(id: number): Promise<void> {
  for (const startedAt = performance.now(); hasMembers(id); await delay(1)) {
    if (performance.now() - startedAt > maxWaitMs) {
      throw new Error("the processes of an engine did not end");
    }
  }
}

function hasMembers(id: number): boolean {
  try {
    process.kill(-id, 0);
  } catch (error) {
    // What `kill` throws has a code.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
  // Processes that have ended count until their parent has collected their exit codes.
  return readdirSync("/proc").some((name) => /^\d+$/.test(name) && isLiveMember(name, id));
}

function isLiveMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before these fields is in parentheses and may contain any character.
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(itsGroup) === group && state !== "Z" && state !== "X";
  } catch {
    // It ended after the listing.
    return false;
  }
}
