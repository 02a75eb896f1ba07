import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { expireUpload } from "#lib/db/queries/files/uploads.ts";
import { beginSegment, listSegments } from "#lib/db/queries/images/image-cache.ts";
import { addToImageDays } from "#lib/db/queries/images/image-days.ts";
import { pictureKey } from "#lib/images/cache/storage-keys.ts";
import { hashOf } from "#lib/images/sources/canonical-source.ts";
import { createUpload, sweepUploads } from "#lib/jobs/accept/uploads.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { makeAccount } from "#tests/service/jobs.ts";

it("the cached pictures of an upload are deleted with its file, and no others", async () => {
  const account = await makeAccount();
  const file = { filename: "a.png", bytes: 1, method: "put", token: null } as const;
  const [expired, other] = [await createUpload(account, file), await createUpload(account, file)];
  await beginSegment(db(), 0);
  const [segment] = await listSegments(db());
  if (!segment) throw new Error("there is no segment");
  const keyOf = ({ id }: { readonly id: string }) =>
    pictureKey(segment, { accountId: account.id, source: hashOf(id), picture: hashOf("a") });
  for (const upload of [expired, other]) {
    await storage().writeCached(keyOf(upload), Buffer.from("a picture"));
  }
  const counts = { hits: 0, misses: 2, errors: 0, sourceBytes: 2, sentBytes: 2 };
  await addToImageDays(db(), [{ accountId: account.id, day: "2026-11-21", ...counts }]);
  await expireUpload(db(), expired.id);
  await sweepUploads();
  await expect(storage().readBytes(keyOf(expired))).rejects.toThrow(FileGoneError);
  expect((await storage().readBytes(keyOf(other))).toString()).toBe("a picture");
});
