import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { AttackData } from "./text-attack-program.ts";
import { listTargets } from "./text-targets.ts";

/** CPU time of one text. All take less than 0.1 s; quadratic time is more than 2 s. */
const limitMs = 1000;

/** One faulty function may be behind all targets, and each costs a new thread. */
const maxSlowTargets = 4;

/**
 * Gives repeated texts to every text parameter and every reader of texts, in a thread that is ended when one
 * text takes too long. Resolves with the ids of the targets that took too long, four at most.
 */
export async function findSlowTargets(widely: boolean): Promise<string[]> {
  const targets = listTargets(widely);
  const slow: string[] = [];
  for (let first = 0; slow.length < maxSlowTargets; ) {
    const stuck = await attack(widely, first);
    if (stuck === undefined) break;
    slow.push(targets[stuck]?.id ?? String(stuck));
    first = stuck + 1;
  }
  return slow;
}

/** Resolves with the number of the target that took too long; undefined if none did. */
async function attack(widely: boolean, first: number): Promise<number | undefined> {
  const progress = new Int32Array(new SharedArrayBuffer(8)).fill(-1);
  const workerData: AttackData = { widely, first, progress };
  const worker = new Worker(join(import.meta.dirname, "text-attack-program.ts"), { workerData });
  let isDone = false;
  const done = once(worker, "message").then(() => {
    isDone = true;
  });
  await once(worker, "online");
  let last = "";
  let sinceMs = 0;
  while (!isDone) {
    await Promise.race([done, wait(100)]);
    if (isDone) break;
    const { user, system } = await worker.cpuUsage();
    const usedMs = (user + system) / 1000;
    const current = progress.join();
    if (current !== last || progress[0] === -1) {
      last = current;
      sinceMs = usedMs;
    }
    if (usedMs - sinceMs < limitMs) continue;
    await worker.terminate();
    return progress[0];
  }
  await worker.terminate();
  return undefined;
}
