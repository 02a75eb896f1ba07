import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MemoryCache } from "#lib/images/cache/memory-cache.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const head = {
  contentType: "image/png",
  createdAt: 0,
  source: "https://example.com/a.png",
  filename: "a.png",
  etag: "a",
  bytes: 1,
};

it("a picture in memory is read from the storage again after two minutes, also if it is used", () => {
  const cache = new MemoryCache(1000);
  cache.set("a", {
    head,
    body: Buffer.from("a"),
    segment: { id: 1, folder: "a" },
    readAt: Date.now(),
  });
  vi.advanceTimersByTime(119_000);
  expect(cache.get("a")?.segment.id).toBe(1);
  vi.advanceTimersByTime(2000);
  expect(cache.get("a")).toBeUndefined();
});
