import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import {
  beginSegment,
  insertPurge,
  listPurges,
  listSegments,
} from "#lib/db/queries/images/image-cache.ts";
import { indexPurges, purgePictures, sweepPurges } from "#lib/images/cache/purges.ts";
import { Segments } from "#lib/images/cache/segments.ts";
import { pictureKey } from "#lib/images/cache/storage-keys.ts";
import { renderPicture } from "#lib/images/render/render-picture.ts";
import { canonicalSource, hashOf } from "#lib/images/sources/canonical-source.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { makeAccount } from "#tests/service/jobs.ts";

const source = "https://example.com/a.jpg";

/** The storage key of a picture of `source`, in the newest segment. */
async function keyOfPicture(accountId: string): Promise<string> {
  await beginSegment(db(), 0);
  const [newest] = await listSegments(db());
  if (!newest) throw new Error("there is no segment");
  return pictureKey(newest, { accountId, source: hashOf(source), picture: hashOf("a") });
}

/** Makes the purges of an account older. */
function age(accountId: string, minutes: number) {
  return db().execute(sql`
    update image_purges set purged_at = purged_at - make_interval(mins => ${minutes})
    where account_id = ${accountId}`);
}

it("the pictures of another installation with the same bucket stay when a segment is removed", async () => {
  const other = await keyOfPicture("acc_other");
  await storage().writeCached(other, Buffer.from("a picture"));
  // The database of this installation is another one.
  await db().execute(sql`truncate image_cache_segments restart identity`);
  const own = await keyOfPicture("acc_own");
  await storage().writeCached(own, Buffer.from("a picture"));
  const segments = new Segments(8);
  const [oldest] = await segments.list();
  await segments.add(oldest?.id ?? 0, 8);
  await expect(storage().readBytes(own)).rejects.toThrow(FileGoneError);
  expect((await storage().readBytes(other)).toString()).toBe("a picture");
});

it.each([
  ["long", `https://example.com/${"\u{4e00}".repeat(1000)}`],
  ["with NUL", "a\0b"],
])("a source or prefix that is %s is rejected", async (_, value) => {
  const { id } = await makeAccount();
  const rejection = { code: "invalid_parameter" };
  await expect(purgePictures(id, "prefix", value)).rejects.toMatchObject(rejection);
  await expect(purgePictures(id, "source", value)).rejects.toMatchObject(rejection);
});

it("a prefix purges the sources that begin with it, however it is written", async () => {
  const { id } = await makeAccount();
  await purgePictures(id, "prefix", "https://Example.com:443/my photos/");
  const { isStale } = indexPurges(await listPurges(db(), id));
  const isPurged = (url: string) => isStale({ source: canonicalSource(url), createdAt: 0 });
  expect(isPurged("https://example.com/my photos/a.jpg")).toBe(true);
  expect(isPurged("https://example.com/my%20photos/a.jpg")).toBe(true);
  expect(isPurged("https://example.com/my photo.jpg")).toBe(false);
});

it("an account has a limited number of purges, and a prefix replaces those that it covers", async () => {
  const { id } = await makeAccount();
  const insert = (kind: "source" | "prefix", value: string) =>
    insertPurge(db(), id, { kind, value, purgedAt: new Date() }, 3);
  for (const value of ["a/1", "a/2", "b/1"]) expect(await insert("source", value)).toBe(true);
  expect(await insert("source", "a/1")).toBe(true);
  expect(await insert("source", "a/3")).toBe(false);
  expect(await insert("prefix", "a/")).toBe(true);
  const values = (await listPurges(db(), id)).map(({ value }) => value);
  expect(values.sort()).toEqual(["a/", "b/1"]);
});

it("an account that purges too often has to wait", async () => {
  const { id } = await makeAccount();
  await purgePictures(id, "prefix", "a");
  await db().execute(sql`update attempt_limits set resets_at = resets_at + interval '1 hour'`);
  const limited = { code: "rate_limited", message: expect.stringContaining("Purge a prefix") };
  for (const kind of ["source", "prefix"] as const) {
    await expect(purgePictures(id, kind, "b")).rejects.toMatchObject(limited);
  }
  expect(await listPurges(db(), id)).toHaveLength(1);
});

it("the purge of a source ends after ten minutes, with what was written while it was purged", async () => {
  const { id } = await makeAccount();
  const key = await keyOfPicture(id);
  await storage().writeCached(key, Buffer.from("before"));
  await purgePictures(id, "source", source);
  await expect(storage().readBytes(key)).rejects.toBeInstanceOf(FileGoneError);
  await storage().writeCached(key, Buffer.from("late"));
  await age(id, 9);
  await sweepPurges();
  expect(await listPurges(db(), id)).toHaveLength(1);
  await age(id, 2);
  await sweepPurges();
  expect(await listPurges(db(), id)).toEqual([]);
  await expect(storage().readBytes(key)).rejects.toBeInstanceOf(FileGoneError);
});

it("the purge of a prefix ends ten minutes before the oldest segment", async () => {
  const { id } = await makeAccount();
  await keyOfPicture(id);
  await purgePictures(id, "prefix", "a");
  await age(id, 9);
  await sweepPurges();
  expect(await listPurges(db(), id)).toHaveLength(1);
  await age(id, 3);
  await sweepPurges();
  expect(await listPurges(db(), id)).toEqual([]);
});

it("a picture that is made too late to be purged is not stored", async () => {
  const { id } = await makeAccount();
  const key = await keyOfPicture(id);
  const stored = `inputs/${id}/main`;
  const picture = makeTestImage({ width: 20, height: 10 }).png();
  await storage().write(stored, await picture.toBuffer());
  const render = (minutesAgo: number) =>
    renderPicture(
      {
        accountId: id,
        accountPlan: "pro",
        source: { kind: "stored", key: stored, filename: "a.png" },
        sourceName: source,
        plan: {},
        preferred: [],
        info: null,
        storageKey: key,
        createdAt: Date.now() - minutesAgo * 60_000,
      },
      new AbortController().signal,
    );
  await expect(render(6)).rejects.toMatchObject({ code: "timed_out" });
  await expect(storage().readBytes(key)).rejects.toBeInstanceOf(FileGoneError);
  await render(4);
  expect((await storage().readBytes(key)).length).toBeGreaterThan(0);
});
