import { expect, test } from "vitest";
import { WorkerLoop } from "#lib/jobs/runner/worker-loop.ts";

/** A number of microtasks that is larger than a slot needs to end. */
const steps = Array.from({ length: 15 }, (_, index) => index);

test.each(steps)("a wake %i microtasks after a slot started is not lost", async (microtasks) => {
  let runs = 0;
  const loop = new WorkerLoop(1, async () => {
    runs++;
  });
  loop.wake();
  for (let count = 0; count < microtasks; count++) await Promise.resolve();
  loop.wake();
  await loop.waitUntilIdle();
  expect(runs).toBe(2);
});
