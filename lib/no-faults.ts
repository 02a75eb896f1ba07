/**
 * Moments at which a test kills or holds a process. Here nothing happens at them: what does something
 * is `tests/faults/faults.ts`, which Node.js loads in place of this file (`#faults` in package.json)
 * only where it was started with `--conditions=mediamill-test`. The web app is built without it.
 */
export const faultPoints = [
  "before-claim",
  "after-claim",
  "while-fetching",
  "after-fetch",
  "in-engine",
  "after-engine",
  "while-storing",
  "before-settle",
  "in-settle",
  "after-settle",
  "before-attempt",
  "after-attempt",
] as const;

export type FaultPoint = (typeof faultPoints)[number];

/** `subject`: what it is about, such as a job's id; a test may wait for one in particular. */
export function faultPoint(_moment: FaultPoint, _subject?: string): void {}
