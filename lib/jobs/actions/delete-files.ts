import { db } from "#lib/db/client.ts";
import { deleteSharesOfJob } from "#lib/db/queries/files/shares.ts";
import { expireFilesIfEnded } from "#lib/db/queries/jobs/actions.ts";
import { markFilesDeleted } from "#lib/db/queries/jobs/sweep.ts";
import { storage } from "#lib/storage/index.ts";
import { inputFolder, outputFolder } from "../storage-keys.ts";

/** Deletes the files of an ended job. Its record stays. False if the job has not ended. */
export async function deleteJobFiles(accountId: string, id: string): Promise<boolean> {
  // First, so that no client is sent a partly deleted file, and the sweep deletes what this process does not.
  if (!(await expireFilesIfEnded(db(), accountId, id))) return false;
  await deleteSharesOfJob(db(), id);
  await removeFiles(id);
  return true;
}

/** Deletes the files of a job whose retention has ended. */
export async function removeFiles(id: string): Promise<void> {
  await removeJobFolders(id);
  await markFilesDeleted(db(), id);
}

/** Deletes all files of a job. One that the store does not delete keeps none of the others. */
export async function removeJobFolders(id: string): Promise<void> {
  const removals = [inputFolder(id), outputFolder(id)].map((folder) => storage().removeAll(folder));
  for (const one of await Promise.allSettled(removals)) {
    if (one.status === "rejected") throw one.reason;
  }
}
