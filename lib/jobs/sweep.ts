import { db, transaction } from "#lib/db/client.ts";
import { deleteOldAnswers } from "#lib/db/queries/idempotency-keys.ts";
import { freeLostJobs } from "#lib/db/queries/leases.ts";
import { listExpiredJobs, listUnannouncedJobs, markFilesDeleted } from "#lib/db/queries/sweep.ts";
import { listOverdueDeliveries } from "#lib/db/queries/webhook-deliveries.ts";
import { log } from "#lib/log.ts";
import { queue } from "#lib/queue/index.ts";
import { storage } from "#lib/storage/index.ts";
import { inputFolder, outputFolder } from "./outputs.ts";
import { ticketFor } from "./tickets.ts";
import { sweepUploads } from "./uploads.ts";

/** Frees jobs whose runner vanished and announces them again. Often: it bounds how long they wait. */
export async function recoverLostJobs(): Promise<void> {
  const opened = await queue();
  const { freed, afterCommits } = await transaction(async (tx) => {
    const freed = await freeLostJobs(tx);
    const afterCommits = [];
    for (const job of freed)
      afterCommits.push(await opened.announceJob(tx, ticketFor(job, { again: true })));
    return { freed, afterCommits };
  });
  for (const afterCommit of afterCommits) await afterCommit();
  for (const job of freed) {
    log.warn({ job_id: job.id, runner_deaths: job.runnerDeaths }, "the runner of a job vanished");
  }
}

/** Announces again what waits though it could run: an announcement that was lost. */
export async function announceWaiting(olderThanSeconds: number): Promise<void> {
  const opened = await queue();
  for (const job of await listUnannouncedJobs(db(), olderThanSeconds)) {
    const afterCommit = await transaction((tx) =>
      opened.announceJob(tx, ticketFor(job, { again: true })),
    );
    await afterCommit();
  }
  for (const delivery of await listOverdueDeliveries(db(), olderThanSeconds)) {
    const { id: deliveryId, accountId } = delivery;
    // A name of its own, so that it is not taken for a copy of an earlier announcement.
    const round = `again-${Date.now()}`;
    const ticket = { deliveryId, accountId, round, delaySeconds: 0 };
    const afterCommit = await transaction((tx) => opened.announceDelivery(tx, ticket));
    await afterCommit();
  }
}

/** Deletes the files of jobs past their retention; the records stay. */
export async function deleteExpiredFiles(): Promise<void> {
  for (const job of await listExpiredJobs(db(), 1000)) {
    await storage().removeAll(inputFolder(job.id));
    await storage().removeAll(outputFolder(job.id));
    await markFilesDeleted(db(), job.id);
  }
}

/** The whole sweep, as cron runs it. */
export async function sweep(): Promise<void> {
  await recoverLostJobs();
  await announceWaiting(60);
  await deleteExpiredFiles();
  await sweepUploads();
  await deleteOldAnswers(db());
}
