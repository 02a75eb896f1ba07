import { parentPort, workerData } from "node:worker_threads";
import { listAllTexts, listShortTexts } from "./repeated-texts.ts";
import { listTargets } from "./text-targets.ts";

/** A thread that gives texts to targets; see text-attack.ts. Its memory has the target and text of now. */

export interface AttackData {
  readonly widely: boolean;
  /** The number of the target to begin with. */
  readonly first: number;
  /** Two integers: the numbers of the target and of the text that it reads. */
  readonly progress: Int32Array;
}

const { widely, first, progress } = workerData as AttackData;
const targets = listTargets(widely);

for (const [number, { maxLength, isForm = false, run }] of targets.entries()) {
  if (number < first) continue;
  let count = 0;
  for (const text of widely ? listAllTexts(maxLength) : listShortTexts(maxLength, isForm)) {
    Atomics.store(progress, 1, count++);
    Atomics.store(progress, 0, number);
    try {
      await run(text);
    } catch {
      // Only the time counts.
    }
  }
}
parentPort?.postMessage(targets.length);
// Until it is ended: its CPU time is read while it runs.
setInterval(() => {}, 1000);
