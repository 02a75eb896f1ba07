import { db, transaction } from "#lib/db/client.ts";
import {
  deleteShutAccount,
  listJobsEndedByShutting,
  listJobsWithFiles,
  listShutAccounts,
  listUnfinishedJobs,
  shutAccount,
} from "#lib/db/queries/accounts/deletion.ts";
import { storage } from "#lib/storage/index.ts";
import { sweepUploads } from "../accept/uploads.ts";
import { inputFolder, outputFolder } from "../storage-keys.ts";
import { cancelJob, deleteJobFiles } from "./actions.ts";

/** Jobs whose files are deleted between two looks into the database. */
const batch = 100;

/**
 * Deletes an account: nobody gets in any more once this resolves, with a session, a key or a
 * password, and its running jobs are cancelled. Its files go with `emptyAccount`.
 */
export async function closeAccount(id: string): Promise<void> {
  await transaction((tx) => shutAccount(tx, id));
  await cancelAll(id);
}

/** Deletes the files of a closed account. Picks up where an earlier try left off. */
export async function emptyAccount(id: string): Promise<void> {
  // A request that was let in just before may have made one more.
  await cancelAll(id);
  for (;;) {
    const jobs = await listJobsWithFiles(db(), id, batch);
    for (const job of jobs) await deleteJobFiles(id, job.id);
    if (jobs.length < batch) break;
  }
  await sweepUploads();
}

/** What is left of accounts that were closed: at once their files, after a day every record. */
export async function sweepClosedAccounts(): Promise<void> {
  for (const { id, old } of await listShutAccounts(db())) {
    await emptyAccount(id);
    if (!old) continue;
    for (const job of await listJobsEndedByShutting(db(), id)) {
      await storage().removeAll(inputFolder(job.id));
      await storage().removeAll(outputFolder(job.id));
    }
    await deleteShutAccount(db(), id);
  }
}

async function cancelAll(id: string): Promise<void> {
  for (const job of await listUnfinishedJobs(db(), id)) await cancelJob(id, job.id);
}
