import { db } from "#lib/db/client.ts";
import {
  deleteOldStagedUploads,
  deleteStagedUpload,
  insertStagedUpload,
} from "#lib/db/queries/files/staged-uploads.ts";
import { log } from "#lib/log.ts";
import { storage } from "#lib/storage/index.ts";
import { times } from "#times";
import { inputFolder } from "../storage-keys.ts";

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
    if (await deleteStagedUpload(db(), id)) await storage().removeAll(inputFolder(id));
  } catch (err) {
    log.warn({ err, job: id }, "staged files were not deleted; the sweep deletes them");
  }
}

/** Deletes the files of requests that ended without a job and without cleanup. */
export async function sweepStagedUploads(): Promise<void> {
  for (const id of await deleteOldStagedUploads(db(), times.stagedUploadSeconds)) {
    await storage().removeAll(inputFolder(id));
  }
}
