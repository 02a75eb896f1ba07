import { db, transaction } from "#lib/db/client.ts";
import { listOldVisitors } from "#lib/db/queries/accounts/accounts.ts";
import {
  deleteClosedAccount,
  listClosedAccounts,
  listJobsEndedByClosing,
  listJobsWithFiles,
  listUnfinishedJobs,
  markAccountClosed,
} from "#lib/db/queries/accounts/deletion.ts";
import { removeCachedPictures } from "#lib/images/cache/purges.ts";
import { storage } from "#lib/storage/index.ts";
import { sweepUploads } from "../accept/uploads.ts";
import { inputFolder, outputFolder } from "../storage-keys.ts";
import { cancelJob, deleteJobFiles } from "./actions.ts";

/** Number of jobs that one query lists for deletion. */
const batchSize = 100;

/**
 * Closes an account. When this resolves, its sessions, keys and password are invalid and its running
 * jobs are cancelled. `deleteAccountFiles` deletes its files.
 */
export async function closeAccount(id: string): Promise<void> {
  await transaction((tx) => markAccountClosed(tx, id));
  await cancelAllJobs(id);
}

/** Deletes the files of a closed account. Can be called again after a failure. */
export async function deleteAccountFiles(id: string): Promise<void> {
  // A request that was authenticated just before the account was closed may have created another job.
  await cancelAllJobs(id);
  for (;;) {
    const jobs = await listJobsWithFiles(db(), id, batchSize);
    for (const job of jobs) await deleteJobFiles(id, job.id);
    if (jobs.length < batchSize) break;
  }
  await sweepUploads();
}

/** Closes the accounts of visitors after this time. Their files are deleted before that. */
const visitorHours = 24;

/** Closes accounts of visitors that are past their time. */
export async function closeOldVisitors(): Promise<void> {
  for (const { id } of await listOldVisitors(db(), visitorHours)) await closeAccount(id);
}

/** Deletes the files of closed accounts now, and all their records after a day. */
export async function sweepClosedAccounts(): Promise<void> {
  for (const { id, closedForADay } of await listClosedAccounts(db())) {
    await deleteAccountFiles(id);
    await removeCachedPictures(id);
    if (!closedForADay) continue;
    for (const job of await listJobsEndedByClosing(db(), id)) {
      await storage().removeAll(inputFolder(job.id));
      await storage().removeAll(outputFolder(job.id));
    }
    await deleteClosedAccount(db(), id);
  }
}

/** Cancels the unfinished jobs of an account. */
export async function cancelAllJobs(id: string): Promise<void> {
  for (const job of await listUnfinishedJobs(db(), id)) await cancelJob(id, job.id);
}
