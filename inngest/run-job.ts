import type { Inngest } from "inngest";
import { db } from "#lib/db/client.ts";
import { claimJob, mustRunExclusively } from "#lib/db/queries/jobs/claims.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import { createToken } from "#lib/ids.ts";
import { notifyJobChangeNow } from "#lib/jobs/follow/changes.ts";
import { type RunOptions, runJob } from "#lib/jobs/run/run.ts";
import type { SharedExclusiveLock } from "#lib/jobs/runner/shared-exclusive-lock.ts";
import { eventNames, type JobEvent } from "#lib/queue/inngest.ts";
import { headStart, jobConcurrency } from "#lib/queue/inngest-plans.ts";

/** How a process runs jobs, and the lock that all of its jobs share. */
export interface JobOptions extends RunOptions {
  readonly lock: SharedExclusiveLock;
}

/** The function that fetches a job's files into storage. The job then waits for an engine. */
export const createFetchInputs = (client: Inngest, options: JobOptions) =>
  createJobFunction(client, "fetch-inputs", "fetch", options);

/** The function that runs a job on an engine. */
export const createRunJob = (client: Inngest, options: JobOptions) =>
  createJobFunction(client, "run-job", "run", options);

/**
 * Runs a job's stage as one step. A second step would wait for a free slot of the runner while the
 * lease of the job expires.
 */
function createJobFunction(client: Inngest, id: string, stage: JobStage, options: JobOptions) {
  return client.createFunction(
    {
      id,
      triggers: [{ event: eventNames[stage] }],
      cancelOn: [{ event: eventNames.cancelled, if: "event.data.jobId == async.data.jobId" }],
      // For failures outside the job: a vanished runner, an unavailable database.
      retries: 3,
      priority: { run: headStart },
      concurrency: jobConcurrency,
    },
    async ({ event, step }) => {
      // Only lib/queue/inngest.ts sends events of these names.
      const { jobId } = event.data as JobEvent;
      return step.run(stage, async () => ({ claimed: await claimAndRun(jobId, stage, options) }));
    },
  );
}

/** Runs the job if it waits for `stage` and no runner holds it. False if it was not claimed. */
async function claimAndRun(jobId: string, stage: JobStage, options: JobOptions): Promise<boolean> {
  const waiting = await findJobById(db(), jobId);
  if (!waiting) return false;
  const release = await options.lock.acquire(mustRunExclusively(waiting) ? "exclusive" : "shared");
  try {
    const lease = { jobId, token: createToken() };
    const job = await claimJob(db(), lease, options.times.leaseSeconds, stage);
    if (!job) return false;
    // Not awaited: the work can start before the watchers are notified.
    void notifyJobChangeNow(job);
    await runJob({ job, lease }, options);
    return true;
  } finally {
    release();
  }
}
