import { db, transaction } from "#lib/db/client.ts";
import { deleteClearLimits } from "#lib/db/queries/accounts/attempt-limits.ts";
import { deleteExpiredResets } from "#lib/db/queries/accounts/password-resets.ts";
import { deleteExpiredSessions } from "#lib/db/queries/accounts/sessions.ts";
import {
  type HandOverTimes,
  listOverdueDeliveries,
  listUnclaimedJobs,
  recordDeliveryHandOver,
  recordJobHandOver,
} from "#lib/db/queries/jobs/enqueueing.ts";
import { deleteOldAnswers } from "#lib/db/queries/jobs/idempotency-keys.ts";
import { freeLostJobs } from "#lib/db/queries/jobs/leases.ts";
import { listExpiredJobs, markFilesDeleted } from "#lib/db/queries/jobs/sweep.ts";
import { deleteOldWebhookRequests } from "#lib/db/queries/webhooks/requests.ts";
import { log } from "#lib/log.ts";
import { queue } from "#lib/queue/index.ts";
import { storage } from "#lib/storage/index.ts";
import { times } from "#times";
import { sweepStagedUploads } from "../accept/staged-uploads.ts";
import { sweepUploads } from "../accept/uploads.ts";
import { sweepClosedAccounts } from "../actions/close-account.ts";
import { jobMessage } from "../queue-message.ts";
import { inputFolder, outputFolder } from "../storage-keys.ts";

/** Frees jobs whose runner vanished and announces them again. Often: it bounds how long they wait. */
export async function recoverLostJobs(): Promise<void> {
  const opened = await queue();
  const { freed, afterCommits } = await transaction(async (tx) => {
    const freed = await freeLostJobs(tx, times.leaseSeconds);
    const afterCommits = [];
    for (const job of freed)
      afterCommits.push(await opened.announceJob(tx, jobMessage(job, { again: true })));
    return { freed, afterCommits };
  });
  for (const afterCommit of afterCommits) await afterCommit();
  for (const job of freed) {
    log.warn({ job: job.id, runner_deaths: job.runnerDeaths }, "the runner of a job vanished");
  }
}

/** In ordinary times nothing is ever told again: see `HandOverTimes`. */
const handOverTimes: HandOverTimes = { untoldSeconds: 5, againSeconds: 120 };

/** Announces again what waits though it could run: an announcement that was lost, or could not be made. */
export async function announceWaiting(times: HandOverTimes = handOverTimes): Promise<void> {
  const opened = await queue();
  for (const job of await listUnclaimedJobs(db(), times)) {
    const afterCommit = await transaction(async (tx) => {
      await recordJobHandOver(tx, job.id, true);
      return opened.announceJob(tx, jobMessage(job, { again: true }));
    });
    // A queue that is away takes none of the others either.
    if (!(await afterCommit())) return;
  }
  for (const delivery of await listOverdueDeliveries(db(), times)) {
    const { id: deliveryId, accountId, url } = delivery;
    // A name of its own, so that it is not taken for a copy of an earlier announcement.
    const round = `again-${Date.now()}`;
    const ticket = { deliveryId, accountId, url, round, delaySeconds: 0 };
    const afterCommit = await transaction(async (tx) => {
      await recordDeliveryHandOver(tx, deliveryId, true);
      return opened.announceDelivery(tx, ticket);
    });
    if (!(await afterCommit())) return;
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
  await announceWaiting();
  await deleteExpiredFiles();
  await sweepUploads();
  await sweepStagedUploads();
  await sweepClosedAccounts();
  await deleteOldAnswers(db());
  await deleteExpiredSessions(db());
  await deleteExpiredResets(db());
  await deleteClearLimits(db());
  await deleteOldWebhookRequests(db());
}
