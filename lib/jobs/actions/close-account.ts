import { db, transaction } from "#lib/db/client.ts";
import { listOldVisitors } from "#lib/db/queries/accounts/accounts.ts";
import {
  type ClosedAccount,
  deleteClosedAccount,
  deleteImageDays,
  listClosedAccounts,
  listJobsEndedByClosing,
  listJobsWithFiles,
  listUnfinishedJobs,
  markAccountClosed,
} from "#lib/db/queries/accounts/deletion.ts";
import { listUploads } from "#lib/db/queries/files/uploads.ts";
import { removeCachedPictures } from "#lib/images/cache/purges.ts";
import { deleteUploadedFiles, sweepUploads } from "../accept/uploads.ts";
import { deleteEach } from "../delete-each.ts";
import { cancelJob } from "./cancel.ts";
import { deleteJobFiles, removeJobFolders } from "./delete-files.ts";

/** Number of jobs, and of accounts, that one query lists for deletion. */
const batchSize = 100;

/**
 * Closes an account. When this resolves, its sessions, keys and password are invalid and its running
 * jobs are cancelled. `deleteAccountFiles` deletes its files.
 */
export async function closeAccount(id: string): Promise<void> {
  await transaction((tx) => markAccountClosed(tx, id));
  await cancelAllJobs(id);
}

/** Deletes the files of a closed account. Can be called again after a failure. If it has very many, the sweep goes on. */
export async function deleteAccountFiles(id: string): Promise<void> {
  // A request that was authenticated just before the account was closed may have created another job.
  await cancelAllJobs(id);
  const failures = await deleteEach(
    (except) => listJobsWithFiles(db(), id, batchSize, except),
    (job) => deleteJobFiles(id, job.id),
  );
  await sweepUploads(id);
  if (failures > 0) throw new Error(`the files of ${failures} jobs were not deleted`);
}

/** Closes the accounts of visitors after this time. Their files are deleted before that. */
const visitorHours = 24;

/** Closes accounts of visitors that are past their time. */
export async function closeOldVisitors(): Promise<void> {
  for (const { id } of await listOldVisitors(db(), visitorHours)) await closeAccount(id);
}

/** Deletes the files of closed accounts now, and all their records after a day. */
export async function sweepClosedAccounts(): Promise<void> {
  await deleteEach((except) => listClosedAccounts(db(), batchSize, except), deleteClosed, {
    concurrent: 1,
  });
}

async function deleteClosed({ id, closedForADay, hasPictures }: ClosedAccount): Promise<void> {
  if (hasPictures) {
    await removeCachedPictures(id);
    await deleteImageDays(db(), id);
  }
  await deleteAccountFiles(id);
  if (!closedForADay) return;
  for (const job of await listJobsEndedByClosing(db(), id)) await removeJobFolders(job.id);
  // What clients have sent to the object store since then: the URLs that they had stayed valid there.
  for (const upload of await listUploads(db(), id)) await deleteUploadedFiles(upload);
  if (!(await deleteClosedAccount(db(), id))) throw new Error("the account still has files");
}

/** Cancels the unfinished jobs of an account. */
export async function cancelAllJobs(id: string): Promise<void> {
  for (const job of await listUnfinishedJobs(db(), id)) await cancelJob(id, job.id);
}
