import { db } from "#lib/db/client.ts";
import {
  deleteArrival,
  deleteOldArrivals,
  insertArrival,
} from "#lib/db/queries/files/staged-uploads.ts";
import { log } from "#lib/log.ts";
import { storage } from "#lib/storage/index.ts";
import { times } from "#times";
import { inputFolder } from "../storage-keys.ts";

/**
 * Files are stored before there is a job that they belong to, and a process may be killed in between.
 * To be called before the first file of the job `id`: then they are not forgotten.
 */
export async function stageUpload(id: string): Promise<void> {
  await insertArrival(db(), id);
}

/**
 * Removes the files of a request that made no job. Where it did make one after all, as when the
 * database was lost amid the commit, they stay; where that cannot be told now, the sweep finds out.
 */
export async function discardStagedUpload(id: string): Promise<void> {
  try {
    if (await deleteArrival(db(), id)) await storage().removeAll(inputFolder(id));
  } catch (err) {
    log.warn({ err, job: id }, "the files of a refused request are left to the sweep");
  }
}

/** Removes the files of requests that ended without a word. */
export async function sweepStagedUploads(): Promise<void> {
  for (const id of await deleteOldArrivals(db(), times.arrivalSeconds)) {
    await storage().removeAll(inputFolder(id));
  }
}
