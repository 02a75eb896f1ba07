import type { Inngest } from "inngest";
import { db } from "#lib/db/client.ts";
import { claimJob, mustRunAlone } from "#lib/db/queries/jobs/claims.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import { createToken } from "#lib/ids.ts";
import { type RunOptions, runJob } from "#lib/jobs/run/run.ts";
import type { Room } from "#lib/jobs/runner/shared-exclusive-lock.ts";
import { eventNames, type JobEvent } from "#lib/queue/inngest.ts";
import type { JobStage } from "#lib/queue/port.ts";

/** A head start in seconds by plan; Inngest allows at most 600. */
const priority =
  "event.data.plan == 'enterprise' ? 600 : event.data.plan == 'business' ? 400 : event.data.plan == 'pro' ? 200 : 0";

/** Jobs at once: two for a free account. Other events have a key of their own, and so no limit here. */
const twoForFree = "event.data.plan == 'free' ? event.data.accountId : event.id";

/** Five for a pro account; five in each of a business account's four slots. */
const fiveForPaid =
  "event.data.plan == 'pro' ? event.data.accountId : event.data.plan == 'business' ? event.data.accountId + '-' + string(event.data.slot) : event.id";

/** How a process runs jobs, and the room that all of them share. */
export interface JobOptions extends RunOptions {
  readonly room: Room;
}

/** The function that gives a job's files to storage; the job then waits for an engine. */
export const createFetchInputs = (client: Inngest, options: JobOptions) =>
  createJobFunction(client, "fetch-inputs", "fetch", options);

/** The function that runs a job on an engine. */
export const createRunJob = (client: Inngest, options: JobOptions) =>
  createJobFunction(client, "run-job", "run", options);

/**
 * A job's stage as one step: a further step would have to wait for a place among the runner's jobs
 * while the lease of this one runs out. The limits are the environment's, so that both stages share
 * an account's.
 */
function createJobFunction(client: Inngest, id: string, stage: JobStage, options: JobOptions) {
  return client.createFunction(
    {
      id,
      triggers: [{ event: eventNames[stage] }],
      cancelOn: [{ event: eventNames.cancelled, if: "event.data.jobId == async.data.jobId" }],
      // Of failures that are not the job's: of a runner that vanished, of a database that was away.
      retries: 3,
      priority: { run: priority },
      concurrency: [
        { scope: "env", limit: 2, key: twoForFree },
        { scope: "env", limit: 5, key: fiveForPaid },
      ],
    },
    async ({ event, step }) => {
      // Events of these names are sent by lib/queue/inngest.ts alone.
      const { jobId } = event.data as JobEvent;
      return step.run(stage, async () => ({ taken: await takeJob(jobId, stage, options) }));
    },
  );
}

/** Runs the job if it waits for `stage` and nobody has it; alone in this process where it must be. */
async function takeJob(jobId: string, stage: JobStage, options: JobOptions): Promise<boolean> {
  const job = await findJobById(db(), jobId);
  if (!job) return false;
  const leave = await options.room.enter(mustRunAlone(job));
  const claim = async () => {
    const lease = { jobId, token: createToken() };
    return (await claimJob(db(), lease, options.times.leaseSeconds, stage)) ? lease : null;
  };
  return runJob(claim, options).finally(leave);
}
