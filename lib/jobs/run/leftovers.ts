import { db } from "#lib/db/client.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import { log } from "#lib/log.ts";
import { storage } from "#lib/storage/index.ts";
import { inputFolder, outputFolder } from "../storage-keys.ts";
import { hasFiles } from "../view/has-files.ts";

/** How far the clocks of this machine and of the database may differ. */
const clockSkewMs = 5000;

/**
 * Deletes what a runner has stored for a job after the job was cancelled or its files were deleted: it belongs to no job,
 * and no sweep looks for it. Call it after the last write. Never throws.
 */
export async function removeLeftovers(id: string): Promise<void> {
  try {
    const job = await findJobById(db(), id);
    // A job expires before the first of its files is deleted.
    const areDeleted = !job || !hasFiles(job, clockSkewMs);
    if (areDeleted || job.status === "cancelled") await storage().removeAll(outputFolder(id));
    if (areDeleted) await storage().removeAll(inputFolder(id));
  } catch (err) {
    log.warn({ err, job: id }, "files of a job that was stopped were not deleted");
  }
}
