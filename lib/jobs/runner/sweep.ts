import { db, type Queryable, transaction } from "#lib/db/client.ts";
import { deleteExpiredAttemptLimits } from "#lib/db/queries/accounts/attempt-limits.ts";
import { deleteExpiredTokens } from "#lib/db/queries/accounts/browser-tokens.ts";
import { deleteExpiredDeviceCodes } from "#lib/db/queries/accounts/device-codes.ts";
import { deleteExpiredResets } from "#lib/db/queries/accounts/password-resets.ts";
import { deleteExpiredSessions } from "#lib/db/queries/accounts/sessions.ts";
import { deleteExpiredShares } from "#lib/db/queries/files/shares.ts";
import { deleteExpiredUploads } from "#lib/db/queries/files/uploads.ts";
import {
  type ReenqueueTimes,
  takeOverdueDeliveries,
  takeUnclaimedJobs,
  takeWaitingJobs,
  type WakeOptions,
} from "#lib/db/queries/jobs/enqueueing.ts";
import { deleteExpiredIdempotencyKeys } from "#lib/db/queries/jobs/idempotency-keys.ts";
import { releaseLostJobs } from "#lib/db/queries/jobs/leases.ts";
import { listExpiredJobs } from "#lib/db/queries/jobs/sweep.ts";
import { deleteStalePreviews } from "#lib/db/queries/live/previews.ts";
import { deleteOldOperatorActs } from "#lib/db/queries/operator/acts.ts";
import { mustChangePartitions } from "#lib/db/queries/requests/partitions.ts";
import { deleteOldRequests } from "#lib/db/queries/requests/retention.ts";
import { foldUsageEvents } from "#lib/db/queries/usage/fold-usage-events.ts";
import { deleteOldReceivedRequests } from "#lib/db/queries/webhooks/received.ts";
import { deleteOldWebhookRequests } from "#lib/db/queries/webhooks/requests.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { sweepPurges } from "#lib/images/cache/purges.ts";
import { sweepUncached } from "#lib/images/cache/uncached.ts";
import { log } from "#lib/log.ts";
import { queue } from "#lib/queue/index.ts";
import { times } from "#times";
import { sweepStagedUploads } from "../accept/staged-uploads.ts";
import { sweepUploads } from "../accept/uploads.ts";
import { closeOldVisitors, sweepClosedAccounts } from "../actions/close-account.ts";
import { removeFiles } from "../actions/delete-files.ts";
import { deleteEach } from "../delete-each.ts";
import { jobMessage } from "../queue-message.ts";
import { recordLostAttempt } from "../run/attempt-span.ts";
import { sweepStatusChecks } from "../status/run-checks.ts";
import { reportExpiringKeys, sendEndpointMails } from "./endpoint-notices.ts";
import { reencryptSecrets } from "./reencrypt-secrets.ts";
import { deleteOldJobs, sweepRequestLog } from "./retention.ts";
import { recordUsageAlerts, sendUsageAlerts } from "./usage-alerts.ts";

/** Releases jobs whose runner vanished and enqueues them again. Its interval limits how long they wait. */
export async function recoverLostJobs(): Promise<void> {
  const opened = await queue();
  const { released, afterCommit } = await transaction(async (tx) => {
    const released = await releaseLostJobs(tx, times.leaseSeconds);
    return { released, afterCommit: await opened.enqueueJobs(tx, messagesFor(released)) };
  });
  await afterCommit();
  for (const job of released) {
    recordLostAttempt(job);
    log.warn({ job: job.id, runner_deaths: job.runnerDeaths }, "runner vanished, job released");
  }
}

const messagesFor = (rows: readonly JobRow[]) =>
  rows.map((job) => jobMessage(job, { again: true }));

/**
 * The times after which work is enqueued again, long enough that in normal operation nothing is
 * enqueued twice; see `ReenqueueTimes`.
 */
const reenqueueTimes: ReenqueueTimes = { notEnqueuedSeconds: 1, unclaimedSeconds: 120 };

/**
 * Enqueues jobs and deliveries again whose message was lost or could not be sent, each kind in one
 * batch. Of several runners that do this at the same time, one gets a job.
 */
export async function reenqueueWaiting(times: ReenqueueTimes = reenqueueTimes): Promise<void> {
  // If the queue is unavailable, the other messages would fail too.
  if (!(await enqueueTaken((tx) => takeUnclaimedJobs(tx, times)))) return;
  await enqueueOverdueDeliveries(times);
}

/**
 * Enqueues the deliveries of events that a statement has just written: under Inngest they have no message yet. Those
 * that this misses are enqueued with all that wait.
 */
export function enqueueNewDeliveries(): Promise<void> {
  return enqueueOverdueDeliveries({ ...reenqueueTimes, notEnqueuedSeconds: 0 });
}

async function enqueueOverdueDeliveries(times: ReenqueueTimes): Promise<void> {
  const opened = await queue();
  const afterCommit = await transaction(async (tx) => {
    const deliveries = await takeOverdueDeliveries(tx, times);
    const dedupeKey = `again-${Date.now()}`;
    const messages = deliveries.map(({ id: deliveryId, accountId, url }) => ({
      deliveryId,
      accountId,
      url,
      dedupeKey,
      delaySeconds: 0,
    }));
    return opened.enqueueDeliveries(tx, messages);
  });
  await afterCommit();
}

/**
 * Enqueues waiting jobs of a stage again. A message is only a signal, so its runner may claim another
 * job than the message's.
 */
export async function wakeRunners(stage: JobStage, options: WakeOptions): Promise<void> {
  if (options.limit > 0) await enqueueTaken((tx) => takeWaitingJobs(tx, stage, options));
}

/** Takes jobs and enqueues them. Returns false if the queue is unavailable. */
async function enqueueTaken(take: (tx: Queryable) => Promise<JobRow[]>): Promise<boolean> {
  const opened = await queue();
  const afterCommit = await transaction(async (tx) =>
    opened.enqueueJobs(tx, messagesFor(await take(tx))),
  );
  return afterCommit();
}

/** Deletes the files of jobs whose retention has ended. Their records stay. */
export async function deleteExpiredFiles(): Promise<void> {
  await deleteEach(
    (except) => listExpiredJobs(db(), 1000, except),
    ({ id }) => removeFiles(id),
  );
}

/** Everything that runners do at intervals, at once: for deployments without a permanent runner. */
export async function sweepAll(): Promise<void> {
  await recoverLostJobs();
  await reenqueueWaiting();
  await sweepStagedUploads();
  await sweep();
}

/**
 * What runners do every minute. Lost jobs are looked for more often, and staged uploads by themselves: see
 * `startMaintenance`. A part that fails is logged and keeps none of the others from its work; the first error is thrown
 * at the end.
 */
export async function sweep(): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) {
    try {
      await part();
    } catch (err) {
      log.warn({ err, part: part.name }, "a part of the sweep failed");
      errors.push(err);
    }
  }
  if (errors.length > 0) throw errors[0];
}

const parts: readonly (() => Promise<unknown>)[] = [
  reportUsage,
  sendUsageAlerts,
  sendEndpointMails,
  deleteExpiredFiles,
  closeOldVisitors,
  sweepClosedAccounts,
  sweepUploads,
  sweepPurges,
  sweepUncachedPictures,
  deleteExpiredRows,
  deleteOldJobs,
  reencryptSecrets,
  checkStatus,
];

async function sweepUncachedPictures(): Promise<void> {
  if (env.IMAGE_CACHE_BYTES === 0) await sweepUncached();
}

async function checkStatus(): Promise<void> {
  if (env.STATUS_CHECKS === "on") await sweepStatusChecks();
}

function reportUsage(): Promise<void> {
  return transaction(async (tx) => {
    await foldUsageEvents(tx);
    await recordUsageAlerts(tx);
    await reportExpiringKeys(tx);
  });
}

/** Deletes expired rows in one transaction: usually there is little or nothing to delete. */
async function deleteExpiredRows(): Promise<void> {
  const changesPartitions = await transaction(async (tx) => {
    await deleteExpiredIdempotencyKeys(tx);
    await deleteExpiredSessions(tx);
    await deleteExpiredShares(tx);
    await deleteStalePreviews(tx);
    await deleteExpiredResets(tx);
    await deleteExpiredDeviceCodes(tx);
    await deleteExpiredTokens(tx);
    await deleteExpiredAttemptLimits(tx);
    await deleteOldWebhookRequests(tx);
    await deleteOldReceivedRequests(tx);
    await deleteOldOperatorActs(tx);
    await deleteExpiredUploads(tx);
    await deleteOldRequests(tx);
    return mustChangePartitions(tx);
  });
  if (changesPartitions) await sweepRequestLog();
}
