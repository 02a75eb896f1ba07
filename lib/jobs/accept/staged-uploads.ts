import { db } from "#lib/db/client.ts";
import {
  deleteStagedUpload,
  discardOldStaged,
  discardStaged,
  insertStagedUpload,
} from "#lib/db/queries/files/staged-uploads.ts";
import { log } from "#lib/log.ts";
import { storage } from "#lib/storage/index.ts";
import { times } from "#times";
import { deleteEach } from "../delete-each.ts";
import { inputFolder } from "../storage-keys.ts";

/** Number of requests whose files are listed at a time. */
const batchSize = 100;

/**
 * Records that files of the job `id` are about to be stored. Call it before the first file. If the
 * process is killed before the job is inserted, the sweep deletes the files.
 */
export async function stageUpload(id: string): Promise<void> {
  await insertStagedUpload(db(), id);
}

/**
 * Deletes the files of a request that created no job. Never throws: what fails here is left to the
 * sweep. If the job was created after all, as when the database connection broke during the commit,
 * the files stay.
 */
export async function discardStagedUpload(id: string): Promise<void> {
  try {
    if (await discardStaged(db(), id)) await deleteStaged(id);
  } catch (err) {
    log.warn({ err, job: id }, "staged files were not deleted; the sweep deletes them");
  }
}

/** Deletes the files of requests that ended without a job and without cleanup. */
export async function sweepStagedUploads(): Promise<void> {
  const seconds = times.stagedUploadSeconds;
  await deleteEach(
    (except) => discardOldStaged(db(), { seconds, limit: batchSize, except }),
    ({ id }) => deleteStaged(id),
  );
}

async function deleteStaged(id: string): Promise<void> {
  await storage().removeAll(inputFolder(id));
  // Last: until then, the sweep deletes the files if this fails.
  await deleteStagedUpload(db(), id);
}
