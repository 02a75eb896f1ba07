import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DueTimer } from "#lib/jobs/runner/due-timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * Starts a timer with these results of its reads; it reports when the timer has read, in seconds.
 */
function startTimer(results: (number | null)[]): { timer: DueTimer; reads: number[] } {
  const startedAt = Date.now();
  const reads: number[] = [];
  const timer = new DueTimer(async () => {
    reads.push((Date.now() - startedAt) / 1000);
    return results.shift() ?? null;
  }, 15_000);
  return { timer, reads };
}

it("reads when the last read said, and at least every 15 seconds", async () => {
  const { timer, reads } = startTimer([4, 60, null]);
  timer.schedule(0);
  await vi.advanceTimersByTimeAsync(40_000);
  timer.stop();
  expect(reads).toEqual([0, 4, 19, 34]);
});

it("reads earlier if something is scheduled earlier, and not later", async () => {
  const { timer, reads } = startTimer([null, null]);
  timer.schedule(10);
  timer.schedule(2);
  timer.schedule(5);
  await vi.advanceTimersByTimeAsync(12_000);
  timer.stop();
  expect(reads).toEqual([2]);
});

it("reads again after a failed read, and no more once it is stopped", async () => {
  let reads = 0;
  const timer = new DueTimer(async () => {
    reads++;
    throw new Error("unavailable");
  }, 1000);
  timer.schedule(0);
  await vi.advanceTimersByTimeAsync(2500);
  timer.stop();
  timer.schedule(0);
  await vi.advanceTimersByTimeAsync(5000);
  expect(reads).toBe(3);
});
