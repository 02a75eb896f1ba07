import { db } from "#lib/db/client.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import { readDueJobs } from "#lib/db/queries/jobs/queue-state.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import { createToken } from "#lib/ids.ts";
import { findMissingEngines } from "#lib/jobs/missing-engines.ts";
import { liveMediaRunners } from "#lib/jobs/runner/heartbeat.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { requestedSteps } from "#lib/jobs/steps.ts";
import { log } from "#lib/log.ts";
import { queue } from "#lib/queue/index.ts";
import type { JobEvent } from "#lib/queue/inngest.ts";

/** Messages that a session cannot use, or not any longer, but that another one may. */

/**
 * Sends a message like this one again, for another slot or another runner, if jobs of the stage wait. Resolves
 * with whether it was sent.
 */
export async function passOn(
  stage: JobStage,
  { jobId, accountId, plan }: JobEvent,
  delaySeconds: number,
): Promise<boolean> {
  try {
    const { stages } = await readDueJobs(db());
    if (!stages.includes(stage)) return false;
    const dedupeKey = `${stage}-again-${createToken()}`;
    const message = { jobId, accountId, plan, stage, dedupeKey, delaySeconds };
    return await (await (await queue()).enqueueJobs(db(), [message]))();
  } catch (err) {
    log.warn({ err, stage }, "message not passed on; the sweep sends another one");
    return false;
  }
}

/**
 * Whether the message's job waits for an engine that does not work here, but on another live runner. `leaves` says
 * whether this runner leaves a job with these operations to others.
 */
export async function isForAnotherRunner(
  { jobId }: JobEvent,
  leaves: (operations: readonly string[]) => boolean,
): Promise<boolean> {
  try {
    const job = await findJobById(db(), jobId);
    if (!job || job.leaseToken !== null || isFinal(job)) return false;
    const operations = requestedSteps(job).map(({ type }) => type);
    if (!leaves(operations)) return false;
    return findMissingEngines(operations, await liveMediaRunners()) === undefined;
  } catch (err) {
    log.warn({ err }, "message not passed on; the sweep sends another one");
    return false;
  }
}
