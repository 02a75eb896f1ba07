import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createId, toBase62 } from "#lib/ids.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const createMany = (count: number) => Array.from({ length: count }, () => createId("act"));

it("ids of the same millisecond sort in the order in which they were created", () => {
  const ids = createMany(2000);
  vi.advanceTimersByTime(1);
  ids.push(...createMany(2000));
  expect(ids).toEqual(ids.toSorted());
  expect(ids.at(-1)?.slice(4, 12)).toBe(toBase62(Date.now(), 8));
});

it("ids follow a clock that was set back, but not by a small correction", () => {
  vi.setSystemTime(new Date("2026-06-01T12:00:00Z"));
  const before = createId("act");
  vi.setSystemTime(new Date("2026-06-01T11:59:59.500Z"));
  expect(createId("act") > before).toBe(true);
  vi.setSystemTime(new Date("2026-06-01T11:59:00Z"));
  expect(createId("act") < before).toBe(true);
});
