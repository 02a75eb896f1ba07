import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startDeadline, waitAtMost, withTimeout } from "#lib/deadline.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const never = new Promise<string>(() => {});

describe("startDeadline", () => {
  it("stops once after the timeout", () => {
    const onStop = vi.fn();
    const controller = new AbortController();
    startDeadline({ timeoutMs: 100, signal: controller.signal }, onStop);
    vi.advanceTimersByTime(99);
    expect(onStop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    controller.abort();
    expect(onStop.mock.calls).toEqual([["timedOut"]]);
  });

  it("stops once when the signal is aborted", () => {
    const onStop = vi.fn();
    const controller = new AbortController();
    startDeadline({ timeoutMs: 100, signal: controller.signal }, onStop);
    controller.abort();
    vi.advanceTimersByTime(200);
    expect(onStop.mock.calls).toEqual([["aborted"]]);
  });

  it("stops immediately if the signal is already aborted", () => {
    const onStop = vi.fn();
    startDeadline({ timeoutMs: 100, signal: AbortSignal.abort() }, onStop);
    expect(onStop.mock.calls).toEqual([["aborted"]]);
  });

  it("does nothing after it was canceled", () => {
    const onStop = vi.fn();
    const controller = new AbortController();
    startDeadline({ timeoutMs: 100, signal: controller.signal }, onStop)();
    controller.abort();
    vi.advanceTimersByTime(200);
    expect(onStop).not.toHaveBeenCalled();
  });
});

describe("withTimeout", () => {
  const late = () => new Error("late");

  it("returns the result of work that is in time", async () => {
    await expect(withTimeout(Promise.resolve("done"), 100, late)).resolves.toBe("done");
  });

  it("passes on the error of work that is in time", async () => {
    await expect(withTimeout(Promise.reject(new Error("x")), 100, late)).rejects.toThrow("x");
  });

  it("rejects after the timeout", async () => {
    const result = expect(withTimeout(never, 100, late)).rejects.toThrow("late");
    vi.advanceTimersByTime(100);
    await result;
  });

  it("leaves no unhandled rejection when the work fails after the timeout", async () => {
    const { promise, reject } = Promise.withResolvers<string>();
    const result = expect(withTimeout(promise, 100, late)).rejects.toThrow("late");
    vi.advanceTimersByTime(100);
    await result;
    reject(new Error("too late"));
    vi.useRealTimers();
    await wait(1);
    vi.useFakeTimers();
  });
});

describe("waitAtMost", () => {
  it("returns the result of work that is in time", async () => {
    await expect(waitAtMost(Promise.resolve("done"), 100)).resolves.toBe("done");
  });

  it("returns undefined after the timeout", async () => {
    const result = waitAtMost(never, 100);
    vi.advanceTimersByTime(100);
    await expect(result).resolves.toBeUndefined();
  });

  it("returns undefined when the signal is aborted", async () => {
    const controller = new AbortController();
    const result = waitAtMost(never, 100, controller.signal);
    controller.abort();
    await expect(result).resolves.toBeUndefined();
  });
});
