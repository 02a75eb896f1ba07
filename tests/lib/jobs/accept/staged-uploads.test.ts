import { Buffer } from "node:buffer";
import { eq } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { db } from "#lib/db/client.ts";
import { stagedUploads } from "#lib/db/schema/staged-uploads.ts";
import { createId } from "#lib/ids.ts";
import {
  discardStagedUpload,
  stageUpload,
  sweepStagedUploads,
} from "#lib/jobs/accept/staged-uploads.ts";
import { inputKey } from "#lib/jobs/storage-keys.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { acceptJob, makeAccount } from "#tests/service/jobs.ts";

/** Files of a request that has created no job yet. */
async function stageFile(): Promise<{ readonly id: string; readonly key: string }> {
  const id = createId("job");
  const key = inputKey(id, "file");
  await stageUpload(id);
  await storage().write(key, Buffer.from("a file"));
  return { id, key };
}

const rowsOf = (id: string) => db().select().from(stagedUploads).where(eq(stagedUploads.jobId, id));

it("files of a rejected request that could not be deleted are deleted by the sweep", async () => {
  const { id, key } = await stageFile();
  vi.spyOn(storage(), "removeAll").mockRejectedValueOnce(new Error("the store is unavailable"));
  await discardStagedUpload(id);
  expect((await storage().readBytes(key)).toString()).toBe("a file");
  await sweepStagedUploads();
  await expect(storage().readBytes(key)).rejects.toThrow(FileGoneError);
  expect(await rowsOf(id)).toEqual([]);
});

it("no job is accepted with files that are being deleted", async () => {
  const { id, key } = await stageFile();
  vi.spyOn(storage(), "removeAll").mockRejectedValueOnce(new Error("the store is unavailable"));
  await discardStagedUpload(id);
  const file = { filename: "a.txt", contentType: "text/plain", bytes: 6, sha256: "00" };
  const source = { kind: "stored", key, ...file } as const;
  const accepted = acceptJob(await makeAccount(), undefined, { id, source });
  await expect(accepted).rejects.toMatchObject({ code: "unavailable" });
});
