import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBatchWriter } from "#lib/api/request-log/batch-writer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function openWriter(write: (rows: readonly number[]) => Promise<void> = async () => {}) {
  const batches: number[][] = [];
  const dropped: number[] = [];
  const writer = createBatchWriter<number>({
    batchRows: 3,
    maxRows: 5,
    intervalMs: 20,
    isLost: (error) => error instanceof TypeError,
    onDropped: (rows) => dropped.push(rows),
    write: async (rows) => {
      await write(rows);
      batches.push([...rows]);
    },
  });
  return { ...writer, batches, dropped };
}

it("writes at once when a batch is full, and the rest after the interval", async () => {
  const { add, batches } = openWriter();
  for (const row of [1, 2, 3, 4]) add(row);
  expect(batches).toEqual([]);
  await vi.advanceTimersByTimeAsync(5);
  expect(batches).toEqual([[1, 2, 3], [4]]);
  add(5);
  await vi.advanceTimersByTimeAsync(5);
  expect(batches).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(40);
  expect(batches.at(-1)).toEqual([5]);
});

it("writes what waits when it is flushed, one batch at a time", async () => {
  let running = 0;
  let most = 0;
  const { add, flush, batches } = openWriter(async () => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  });
  for (const row of [1, 2, 3, 4, 5]) add(row);
  await Promise.all([flush(), flush()]);
  expect(batches.flat()).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(1);
});

it("keeps rows in order while they cannot be written, and no more than its limit", async () => {
  let isDown = true;
  const { add, flush, batches, dropped } = openWriter(async () => {
    if (isDown) throw new Error("unavailable");
  });
  add(1);
  await flush();
  for (const row of [2, 3, 4, 5, 6, 7]) add(row);
  await flush();
  expect(batches).toEqual([]);
  expect(dropped).toEqual([2]);
  isDown = false;
  await flush();
  expect(batches.flat()).toEqual([1, 2, 3, 4, 5]);
});

it("drops rows that can never be written", async () => {
  const { add, flush, batches, dropped } = openWriter(async (rows) => {
    if (rows.includes(2)) throw new TypeError("not a row");
  });
  for (const row of [1, 2, 3, 4]) add(row);
  await flush();
  expect(dropped).toEqual([3]);
  expect(batches).toEqual([[4]]);
});
