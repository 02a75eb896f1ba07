/**
 * Points at which a test can kill or hold a process. In production they do nothing. With
 * `--conditions=mediamill-test`, Node.js loads `tests/faults/faults.ts` in place of this file (`#faults`
 * in package.json). The web app is built without fault points.
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

/**
 * A point at which a test can inject a fault; the subject is what the point concerns, such as a
 * job's id. A test may wait for a particular one.
 */
export function faultPoint(_point: FaultPoint, _subject?: string): void {}
