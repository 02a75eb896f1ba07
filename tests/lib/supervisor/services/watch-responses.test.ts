import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { readProcessorWait } from "#lib/supervisor/services/processor-wait.ts";
import { watchResponses } from "#lib/supervisor/services/watch-responses.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** Watches a service that never answers, for so many seconds. Of each, it waits `waitedMs` for a processor. */
function watchFor(seconds: number, waitedMs: number): number {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const service = Object.assign(new EventEmitter(), { pid: 1, connected: true, send: () => true });
  const startedAt = Date.now();
  let unresponsive = 0;
  const stop = watchResponses(
    service as unknown as ChildProcess,
    () => unresponsive++,
    () => ((Date.now() - startedAt) / 1000) * waitedMs,
  );
  vi.advanceTimersByTime(seconds * 1000);
  stop();
  return unresponsive;
}

test("a service that does not answer for 15 seconds is unresponsive, once", () => {
  expect(watchFor(15, 0)).toBe(0);
  expect(watchFor(16, 0)).toBe(1);
  expect(watchFor(60, 0)).toBe(1);
});

test("the time in which it waits for a processor does not count", () => {
  expect(watchFor(60, 800)).toBe(0);
  expect(watchFor(76, 800)).toBe(1);
  expect(watchFor(600, 1000)).toBe(0);
});

test.runIf(process.platform === "linux")("the time is read from the kernel", async () => {
  // Three on one processor: each waits for two thirds of the time.
  const busy = ["-c", "0", process.execPath, "-e", "for (;;);"];
  const children = [1, 2, 3].map(() => spawn("taskset", busy, { stdio: "ignore" }));
  onTestFinished(() => children.forEach((child) => void child.kill("SIGKILL")));
  await waitUntil(() => children.every(({ pid }) => readProcessorWait(pid ?? 0) > 200));
  expect(readProcessorWait(2 ** 22)).toBe(0);
});
