import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  blockBytes,
  PartialFile,
  type PartialFileOptions,
  type RangeSource,
} from "#lib/engines/partial/partial-file.ts";
import { RangesUnusableError } from "#lib/net/ranges/content-range.ts";
import { temporaryFolder } from "#tests/servers/net.ts";

const content = randomBytes(20 * blockBytes + 1000);

/** A source that records its requests, in blocks, and may wait or fail before its first chunk. */
class TestSource implements RangeSource {
  readonly bytes = content.length;
  readonly requests: [start: number, end: number][] = [];
  readonly #before: (signal: AbortSignal) => Promise<unknown>;

  constructor(before: (signal: AbortSignal) => Promise<unknown> = async () => {}) {
    this.#before = before;
  }

  async *read(start: number, end: number, signal: AbortSignal) {
    this.requests.push([start / blockBytes, end / blockBytes]);
    await this.#before(signal);
    for (let at = start; at < end; at += 100_000) {
      yield content.subarray(at, Math.min(at + 100_000, end));
    }
  }

  async close() {}
}

async function create(source: RangeSource, options: Partial<PartialFileOptions> = {}) {
  const path = join(temporaryFolder(), "sparse");
  const file = await PartialFile.create(source, { path, ...options });
  onTestFinished(() => file.close());
  return { file, path };
}

it("requests each block once, and reads like the whole file", async () => {
  const source = new TestSource();
  const { file } = await create(source);
  const at = 3 * blockBytes + 5;
  for (let times = 0; times < 2; times++) {
    const part = await file.read(at, 2 * blockBytes);
    expect(part.equals(content.subarray(at, at + 2 * blockBytes))).toBe(true);
  }
  expect(source.requests).toEqual([[3, 6]]);
  expect(file.receivedBytes).toBe(3 * blockBytes);
  expect((await file.read(content.length - 10, 99)).equals(content.subarray(-10))).toBe(true);
  expect(await file.read(content.length, 5)).toHaveLength(0);
});

it("does not request the head that was read before", async () => {
  const source = new TestSource();
  const { file } = await create(source, { head: content.subarray(0, 2 * blockBytes + 7) });
  expect((await file.read(0, 1000)).equals(content.subarray(0, 1000))).toBe(true);
  await file.read(2 * blockBytes, 5);
  expect(source.requests).toEqual([[2, 3]]);
});

it("shares a request between readers at the same time", async () => {
  const source = new TestSource(() => wait(20));
  const { file } = await create(source);
  const parts = await Promise.all([1, 2, 3].map((offset) => file.read(offset, 100)));
  expect(parts.map((part) => part[0])).toEqual([1, 2, 3].map((offset) => content[offset]));
  expect(source.requests).toEqual([[0, 1]]);
});

it("requests ahead of a reader in sequence in growing steps, never more than 4 MiB", async () => {
  const source = new TestSource();
  const { file } = await create(source);
  for (let block = 0; block < 21; block++) {
    await file.readBlock(block * blockBytes, blockBytes, Math.min(16, 2 ** block));
  }
  const sizes = source.requests.map(([start, end]) => Math.ceil(end) - start);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(21);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
  expect(source.requests.length).toBeLessThan(9);
});

it("a failure of the source is final, and aborts the signal with it", async () => {
  const failure = new Error("the source is gone");
  const { file } = await create(new TestSource(() => Promise.reject(failure)));
  await expect(file.read(0, 1)).rejects.toBe(failure);
  expect(file.signal.reason).toBe(failure);
  await expect(file.read(9 * blockBytes, 1)).rejects.toBe(failure);
});

it("a source that is too slow makes the file unusable in parts", async () => {
  const never = (signal: AbortSignal) => wait(60_000, undefined, { signal });
  const allowance = { initialMs: 30, bytesPerSecond: 1e6 };
  const { file } = await create(new TestSource(never), { allowance });
  await expect(file.read(0, 1)).rejects.toBeInstanceOf(RangesUnusableError);
});

it("time in which no reader waits is not counted", async () => {
  const allowance = { initialMs: 400, bytesPerSecond: 1e12 };
  const { file } = await create(new TestSource(), { allowance });
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await file.read(0, 1);
  vi.advanceTimersByTime(500);
  expect(await file.read(5 * blockBytes, 1)).toHaveLength(1);
});

it("removes what it received when it is closed, also during a request", async () => {
  const { file, path } = await create(
    new TestSource((signal) => wait(60_000, undefined, { signal })),
  );
  expect(statSync(path).size).toBe(content.length);
  const reading = file.read(0, 1);
  reading.catch(() => {});
  await file.close();
  await expect(reading).rejects.toThrow("closed");
  expect(existsSync(path)).toBe(false);
});
