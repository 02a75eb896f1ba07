import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createLatestCall } from "#components/playground/live/latest-call.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A call whose work takes `ms`, with what was started, finished and aborted. */
function record(ms: number) {
  const log: string[] = [];
  const { call, stop } = createLatestCall<number>(async (value, signal) => {
    log.push(`start ${value}`);
    await new Promise<void>((resolve) => {
      setTimeout(resolve, ms);
      signal.addEventListener("abort", () => resolve());
    });
    log.push(`${signal.aborted ? "aborted" : "done"} ${value}`);
  });
  return { log, call, stop };
}

it("lets a quick call finish, and makes only the latest of those that came meanwhile", async () => {
  const { log, call } = record(50);
  call(1);
  call(2);
  call(3);
  await vi.advanceTimersByTimeAsync(200);
  expect(log).toEqual(["start 1", "done 1", "start 3", "done 3"]);
});

it("cancels a slow call when the next one comes, but not before", async () => {
  const { log, call } = record(1000);
  call(1);
  await vi.advanceTimersByTimeAsync(400);
  expect(log).toEqual(["start 1"]);
  call(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(log.slice(0, 2)).toEqual(["start 1", "start 2"]);
  expect(log).toContain("aborted 1");
  await vi.advanceTimersByTimeAsync(1100);
  expect(log.at(-1)).toBe("done 2");
});

it("stops what runs and what waits", async () => {
  const { log, call, stop } = record(50);
  call(1);
  call(2);
  stop();
  await vi.advanceTimersByTimeAsync(500);
  expect(log).toEqual(["start 1", "aborted 1"]);
});
