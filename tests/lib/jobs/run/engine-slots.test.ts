import { describe, expect, it, vi } from "vitest";
import { EngineSlots } from "#lib/jobs/run/engine-slots.ts";

const never = new AbortController().signal;

/** The order in which jobs get their slots. */
function recorder(slots: EngineSlots) {
  const granted: string[] = [];
  const acquire = async (name: string, signal = never) => {
    const release = await slots.acquire(signal);
    granted.push(name);
    return release;
  };
  return { granted, acquire };
}

it("grants its slots at once, and the next ones in order as slots are released", async () => {
  const { granted, acquire } = recorder(new EngineSlots({ size: 2 }));
  const releaseA = await acquire("a");
  const releaseB = await acquire("b");
  const c = acquire("c");
  const d = acquire("d");
  await new Promise(setImmediate);
  expect(granted).toEqual(["a", "b"]);
  releaseB();
  await c;
  releaseA();
  await d;
  expect(granted).toEqual(["a", "b", "c", "d"]);
});

it("calls `onRelease` for every released slot", async () => {
  const slots = new EngineSlots({ size: 1 });
  slots.onRelease = vi.fn();
  (await slots.acquire(never))();
  expect(slots.onRelease).toHaveBeenCalledTimes(1);
});

describe("a job that is aborted while it waits", () => {
  it("fails with the reason and leaves the slot to the next one", async () => {
    const slots = new EngineSlots({ size: 1 });
    const release = await slots.acquire(never);
    const cancel = new AbortController();
    const cancelled = slots.acquire(cancel.signal);
    const next = slots.acquire(never);
    cancel.abort(new Error("cancelled"));
    release();
    await expect(cancelled).rejects.toThrow("cancelled");
    (await next)();
    expect(slots.hasFree).toBe(true);
  });

  it("before it asks gets no slot", async () => {
    const slots = new EngineSlots({ size: 1 });
    const aborted = AbortSignal.abort(new Error("cancelled"));
    await expect(slots.acquire(aborted)).rejects.toThrow("cancelled");
    expect(slots.hasFree).toBe(true);
  });
});

describe("when no slot becomes free in time", () => {
  it("the waiting jobs fail, and the running one keeps its slot", async () => {
    const slots = new EngineSlots({ size: 1, maxWaitMs: 20 });
    const release = await slots.acquire(never);
    const waiting = [slots.acquire(never), slots.acquire(never)];
    for (const job of waiting)
      await expect(job).rejects.toMatchObject({ name: "EnginesBusyError" });
    expect(slots.hasFree).toBe(false);
    release();
    expect(slots.hasFree).toBe(true);
  });

  it("no more jobs are taken in advance until a slot is used for a short time", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const slots = new EngineSlots({ size: 1, maxWaitMs: 1000 });
      const releaseShort = await slots.acquire(never);
      expect(slots.isSoonFree).toBe(true);
      releaseShort();
      const releaseLong = await slots.acquire(never);
      vi.advanceTimersByTime(700);
      expect(slots.isSoonFree).toBe(false);
      releaseLong();
      expect(slots.isSoonFree).toBe(true);
      const releaseNext = await slots.acquire(never);
      expect(slots.isSoonFree).toBe(false);
      releaseNext();
      await slots.acquire(never);
      expect(slots.isSoonFree).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});

it("a closed runner rejects the jobs that wait, also later ones", async () => {
  const slots = new EngineSlots({ size: 1 });
  await slots.acquire(never);
  const waiting = slots.acquire(never);
  slots.close();
  await expect(waiting).rejects.toMatchObject({ name: "EnginesBusyError" });
  await expect(slots.acquire(never)).rejects.toMatchObject({ name: "EnginesBusyError" });
});
