import { setTimeout as wait } from "node:timers/promises";
import { db, transaction } from "#lib/db/client.ts";
import { isLockTimeout } from "#lib/db/errors.ts";
import { deleteOldRecords, hasOldRecords } from "#lib/db/queries/jobs/retention.ts";
import { changeRequestPartitions } from "#lib/db/queries/requests/partitions.ts";
import { firstKeptDay } from "#lib/job-retention.ts";
import { log } from "#lib/log.ts";

/** A job may have a hundred deliveries, each with its attempts, so that a batch takes well under a second. */
const batchJobs = 200;

/** The most batches of one sweep: 20,000 jobs. The next sweep continues. */
const maxBatches = 100;

/** The pause between two batches, for the other work of the database. */
const pauseMs = 20;

/**
 * Deletes the records of ended jobs past their retention, and what belongs to them, in small batches.
 * The counts of usage stay. Does nothing while another process does it.
 */
export async function deleteOldJobs(now: Date = new Date()): Promise<void> {
  const day = firstKeptDay(now);
  if (day === undefined) return;
  let deleted = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    // Cheap, and usually the answer is no.
    if (!(await hasOldRecords(db(), day))) break;
    const count = await transaction((tx) => deleteOldRecords(tx, day, batchJobs));
    // Another process deletes, or what is left is locked.
    if (!count) break;
    deleted += count;
    await wait(pauseMs);
  }
  if (deleted > 0) log.info({ deleted, before: day }, "old records deleted");
}

/**
 * Drops the days of the request log that are past their time, and makes the partitions of the next days. If the table
 * is in use for long, as by a backup, the next sweep does it.
 */
export async function sweepRequestLog(): Promise<void> {
  try {
    const { days = [], dropped = [] } = (await transaction(changeRequestPartitions)) ?? {};
    if (days.length > 0 || dropped.length > 0)
      log.info({ days, dropped }, "partitions of the request log changed");
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    log.info("the request log is in use; its partitions are changed later");
  }
}
