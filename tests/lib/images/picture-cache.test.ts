import { expect, it } from "vitest";
import { packPicture } from "#lib/images/cache/cached-picture.ts";
import { PictureCache } from "#lib/images/cache/picture-cache.ts";
import { indexPurges } from "#lib/images/cache/purges.ts";
import { sweepUncached } from "#lib/images/cache/uncached.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";

const source = "https://example.com/a.png";

/** A cache that keeps nothing, and what it makes: each picture when `finish` is called. */
function createCache() {
  const cache = new PictureCache(0);
  const waiting: (() => void)[] = [];
  let made = 0;
  const make = async (storageKey: string) => {
    made++;
    const head = { contentType: "image/png", createdAt: made, source, filename: "a.png" };
    await new Promise<void>((resolve) => waiting.push(resolve));
    const picture = { head: { ...head, etag: "", bytes: 1 }, body: Buffer.from("a") };
    await storage().writeCached(storageKey, packPicture(picture));
  };
  return {
    get: (purgedAt: number) =>
      cache.get(
        { accountId: "acc", source: "s", picture: "p" },
        indexPurges([{ kind: "source", value: source, purgedAt: new Date(purgedAt) }]),
        make,
      ),
    finish: async () => {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      for (const resolve of waiting.splice(0)) resolve();
    },
    count: () => made,
  };
}

it("makes a picture that is purged while it is made once more, for all who ask after the purge", async () => {
  const cache = createCache();
  const before = [cache.get(0), cache.get(0)];
  const after = [cache.get(1), cache.get(1), cache.get(1)];
  await cache.finish();
  for (const { picture } of await Promise.all(before)) expect(picture.head.createdAt).toBe(1);
  await cache.finish();
  for (const { picture } of await Promise.all(after)) expect(picture.head.createdAt).toBe(2);
  expect(cache.count()).toBe(2);
});

it("makes a picture for each request if none is kept, while that of the last one is removed", async () => {
  const cache = createCache();
  for (let count = 1; count <= 30; count++) {
    const found = cache.get(0);
    await cache.finish();
    expect((await found).picture.head.createdAt).toBe(count);
  }
});

const isGone = async (key: string) =>
  storage()
    .readBytes(key)
    .then(
      () => false,
      (error) => error instanceof FileGoneError,
    );

it("removes a picture that was stored although its request has failed", async () => {
  let stored = "";
  const failing = new PictureCache(0).get(
    { accountId: "acc", source: "s", picture: "p" },
    indexPurges([]),
    async (storageKey) => {
      stored = storageKey;
      await storage().writeCached(storageKey, Buffer.from("a"));
      throw new Error("the reply is lost");
    },
  );
  await expect(failing).rejects.toThrow("the reply is lost");
  await expect.poll(() => isGone(stored)).toBe(true);
});

it("removes what processes have left there days ago", async () => {
  const keyOf = (day: string) => `image-cache/uncached/${day}/0123/acc/s/p/file`;
  const keys = ["2026-03-01", "2026-02-28", "2026-02-27", "2026-02-26"].map(keyOf);
  for (const key of keys) await storage().writeCached(key, Buffer.from("a"));
  await sweepUncached(new Date("2026-03-01T12:00:00Z"));
  expect(await Promise.all(keys.map(isGone))).toEqual([false, false, true, true]);
});
