import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { expireFilesIfEnded } from "#lib/db/queries/jobs/actions.ts";
import { createToken } from "#lib/ids.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { deleteJobFiles } from "#lib/jobs/actions/delete-files.ts";
import type { ClaimedJob } from "#lib/jobs/run/claim/claimed-job.ts";
import { holdLease } from "#lib/jobs/run/lease.ts";
import { settleOutcome } from "#lib/jobs/run/settle-outcome.ts";
import { inputFolder } from "#lib/jobs/storage-keys.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import { acceptJob, makeAccount, shortTimes } from "#tests/service/jobs.ts";

/** Files that a runner stores for a job that was cancelled and deleted while they were on their way to the store. */

async function claim(): Promise<ClaimedJob & { readonly key: string }> {
  const { id } = await acceptJob(await makeAccount(), "https://example.com/a.jpg");
  const lease = { jobId: id, token: createToken() };
  const job = await claimJob(db(), lease, 20, "fetch");
  if (!job) throw new Error("the job was not claimed");
  return { job, lease, key: `${inputFolder(id)}/attempt-1/file` };
}

async function cancelAndDelete({ job: { accountId, id } }: ClaimedJob): Promise<void> {
  await cancelJob(accountId, id);
  expect(await deleteJobFiles(accountId, id)).toBe(true);
}

it("are deleted when the runner has stopped", async () => {
  const claimed = await claim();
  await cancelAndDelete(claimed);
  await storage().write(claimed.key, Buffer.from("a file"));
  expect(await settleOutcome(claimed, { kind: "abandoned" })).toBeUndefined();
  await expect(storage().readBytes(claimed.key)).rejects.toThrow(FileGoneError);
});

it("are deleted also while the other files of the job are being deleted", async () => {
  const claimed = await claim();
  const { accountId, id } = claimed.job;
  await cancelJob(accountId, id);
  // What a deletion does first.
  expect(await expireFilesIfEnded(db(), accountId, id)).toBe(true);
  await storage().write(claimed.key, Buffer.from("a file"));
  await settleOutcome(claimed, { kind: "abandoned" });
  await expect(storage().readBytes(claimed.key)).rejects.toThrow(FileGoneError);
});

it("are deleted when the store has taken them long after the runner gave up", async () => {
  const claimed = await claim();
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  let stored: Promise<unknown> | undefined;
  const times = { ...shortTimes, timeoutSeconds: 0.1, abandonSeconds: 0.1 };
  const held = holdLease(claimed, times, new AbortController().signal, async () => {
    await ready;
    stored = storage().write(claimed.key, Buffer.from("a file"));
    await stored;
  });
  await expect(held).rejects.toMatchObject({ reason: "timed_out" });
  await cancelAndDelete(claimed);
  resolve();
  await expect.poll(() => stored !== undefined).toBe(true);
  await stored;
  const isGone = () =>
    storage()
      .readBytes(claimed.key)
      .then(
        () => false,
        (error: unknown) => error instanceof FileGoneError,
      );
  await expect.poll(isGone).toBe(true);
});

it("stay if the job was only cancelled: it can be retried", async () => {
  const claimed = await claim();
  const { accountId, id } = claimed.job;
  await storage().write(claimed.key, Buffer.from("a file"));
  await cancelJob(accountId, id);
  await settleOutcome(claimed, { kind: "abandoned" });
  expect((await storage().readBytes(claimed.key)).toString()).toBe("a file");
});
