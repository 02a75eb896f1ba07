import { db, transaction } from "#lib/db/client.ts";
import { deleteExpiredAttemptLimits } from "#lib/db/queries/accounts/attempt-limits.ts";
import { deleteExpiredResets } from "#lib/db/queries/accounts/password-resets.ts";
import { deleteExpiredSessions } from "#lib/db/queries/accounts/sessions.ts";
import {
  listOverdueDeliveries,
  listUnclaimedJobs,
  type ReenqueueTimes,
  recordDeliveryEnqueued,
  recordJobEnqueued,
} from "#lib/db/queries/jobs/enqueueing.ts";
import { deleteExpiredIdempotencyKeys } from "#lib/db/queries/jobs/idempotency-keys.ts";
import { releaseLostJobs } from "#lib/db/queries/jobs/leases.ts";
import { listExpiredJobs, markFilesDeleted } from "#lib/db/queries/jobs/sweep.ts";
import { deleteOldWebhookRequests } from "#lib/db/queries/webhooks/requests.ts";
import { log } from "#lib/log.ts";
import { queue, usesInngest } from "#lib/queue/index.ts";
import { storage } from "#lib/storage/index.ts";
import { times } from "#times";
import { sweepStagedUploads } from "../accept/staged-uploads.ts";
import { sweepUploads } from "../accept/uploads.ts";
import { sweepClosedAccounts } from "../actions/close-account.ts";
import { jobMessage } from "../queue-message.ts";
import { inputFolder, outputFolder } from "../storage-keys.ts";
import { deleteOldJobs } from "./retention.ts";

/** Releases jobs whose runner vanished and enqueues them again. Its interval limits how long they wait. */
export async function recoverLostJobs(): Promise<void> {
  const opened = await queue();
  const { released, afterCommits } = await transaction(async (tx) => {
    const released = await releaseLostJobs(tx, times.leaseSeconds);
    const afterCommits = [];
    for (const job of released) {
      afterCommits.push(await opened.enqueueJob(tx, jobMessage(job, { again: true })));
    }
    return { released, afterCommits };
  });
  for (const afterCommit of afterCommits) await afterCommit();
  for (const job of released) {
    log.warn({ job: job.id, runner_deaths: job.runnerDeaths }, "runner vanished, job released");
  }
}

/** Long enough that in normal operation nothing is enqueued twice; see `ReenqueueTimes`. */
const reenqueueTimes: ReenqueueTimes = { notEnqueuedSeconds: 5, unclaimedSeconds: 120 };

/** Enqueues jobs and deliveries again whose message was lost or could not be sent. */
export async function reenqueueWaiting(times: ReenqueueTimes = reenqueueTimes): Promise<void> {
  const opened = await queue();
  for (const job of await listUnclaimedJobs(db(), times)) {
    const afterCommit = await transaction(async (tx) => {
      await recordJobEnqueued(tx, job.id, true);
      return opened.enqueueJob(tx, jobMessage(job, { again: true }));
    });
    // The queue is unavailable: the other messages would fail too.
    if (!(await afterCommit())) return;
  }
  for (const delivery of await listOverdueDeliveries(db(), times)) {
    const { id: deliveryId, accountId, url } = delivery;
    const dedupeKey = `again-${Date.now()}`;
    const message = { deliveryId, accountId, url, dedupeKey, delaySeconds: 0 };
    const afterCommit = await transaction(async (tx) => {
      await recordDeliveryEnqueued(tx, deliveryId, true);
      return opened.enqueueDelivery(tx, message);
    });
    if (!(await afterCommit())) return;
  }
}

/** Deletes the files of jobs whose retention has ended. Their records stay. */
export async function deleteExpiredFiles(): Promise<void> {
  for (const job of await listExpiredJobs(db(), 1000)) {
    await storage().removeAll(inputFolder(job.id));
    await storage().removeAll(outputFolder(job.id));
    await markFilesDeleted(db(), job.id);
  }
}

/** The whole sweep, as the schedule runs it. */
export async function sweep(): Promise<void> {
  await recoverLostJobs();
  // Runners of the embedded queue find waiting work without a message.
  if (usesInngest) await reenqueueWaiting();
  await deleteExpiredFiles();
  await sweepUploads();
  await sweepStagedUploads();
  await sweepClosedAccounts();
  await deleteExpiredIdempotencyKeys(db());
  await deleteExpiredSessions(db());
  await deleteExpiredResets(db());
  await deleteExpiredAttemptLimits(db());
  await deleteOldWebhookRequests(db());
  await deleteOldJobs();
}
