import { availableParallelism } from "node:os";
import { transaction } from "#lib/db/client.ts";
import { claimNextJob } from "#lib/db/queries/leases.ts";
import { env } from "#lib/env.ts";
import { createToken } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { EmbeddedQueue, queueNames } from "#lib/queue/embedded.ts";
import { adoptQueue } from "#lib/queue/index.ts";
import { directSteps, type JobStage } from "#lib/queue/port.ts";
import { cancellations, type LeaseTimes } from "./lease.ts";
import { Pump } from "./pump.ts";
import { type RunOptions, runJob } from "./run.ts";
import { recoverLostJobs, sweep } from "./sweep.ts";

/** A lease outlives a renewal or two that fail, and is short enough that a dead runner's job goes on within 30 s. */
export const leaseTimes: LeaseTimes = {
  leaseSeconds: 20,
  renewSeconds: 5,
  timeoutSeconds: env.JOB_TIMEOUT,
  finishSeconds: 15,
};

/** How often this runner looks for jobs whose runner vanished. */
const recoveryMs = 5000;

/** How often it looks for work that nobody told it of. */
const lookMs = 2000;

/** Files one runner fetches at once, beside the jobs that its engines work on. */
const fetchConcurrency = 16;

/** Jobs one runner works on at once. */
export function mediaConcurrency(): number {
  return env.MEDIA_CONCURRENCY ?? availableParallelism();
}

export interface Runner {
  /** Takes no more work, finishes or hands back what runs, resolves when nothing does. */
  stop(): Promise<void>;
}

/** Works on jobs from the embedded queue until stopped. */
export async function startMediaRunner(times: LeaseTimes = leaseTimes): Promise<Runner> {
  const handBack = new AbortController();
  const opened = await EmbeddedQueue.open({ worker: true });
  adoptQueue(opened);
  const unlisten = await cancellations.listen();
  const options: RunOptions = { steps: directSteps, times, stopping: handBack.signal };
  const pumps = {
    fetch: pumpFor("fetch", fetchConcurrency),
    run: pumpFor("run", mediaConcurrency()),
  };

  function pumpFor(stage: JobStage, places: number): Pump {
    return new Pump(places, (taken) =>
      runJob(async () => {
        const lease = await claimNext(stage, times.leaseSeconds);
        if (lease) taken();
        return lease;
      }, options),
    );
  }

  for (const stage of ["fetch", "run"] as const) {
    // A ticket says that there is work, not which: the claim decides whose turn it is.
    await opened.work(queueNames[stage], async (tickets) => {
      for (const _ of tickets) pumps[stage].wake();
    });
  }
  await opened.work(queueNames.sweep, sweep);
  const recovery = setInterval(() => {
    recoverLostJobs().catch((err) => log.warn({ err }, "recovery failed"));
  }, recoveryMs);
  // Should another runner have taken the ticket of a job that it had no place for.
  const looking = setInterval(() => {
    pumps.fetch.wake();
    pumps.run.wake();
  }, lookMs);

  return {
    async stop() {
      clearInterval(recovery);
      clearInterval(looking);
      for (const pump of Object.values(pumps)) pump.stop();
      for (const name of [queueNames.fetch, queueNames.run, queueNames.sweep]) {
        await opened.stopWork(name);
      }
      const timer = setTimeout(() => handBack.abort(), times.finishSeconds * 1000);
      await Promise.all(Object.values(pumps).map((pump) => pump.idle()));
      clearTimeout(timer);
      await unlisten();
      await opened.close();
    },
  };
}

/** Takes the job whose turn it is, if any. */
async function claimNext(stage: JobStage, leaseSeconds: number) {
  const token = createToken();
  const job = await transaction((tx) => claimNextJob(tx, stage, token, leaseSeconds));
  return job ? { jobId: job.id, token } : null;
}
