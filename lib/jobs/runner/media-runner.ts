import { availableParallelism } from "node:os";
import { type JobStage, jobStages } from "#lib/db/schema/job-states.ts";
import { env } from "#lib/env.ts";
import { EmbeddedQueue, queueNames } from "#lib/queue/embedded.ts";
import { adoptQueue } from "#lib/queue/index.ts";
import { times as runnerTimes } from "#times";
import { cancellations, type LeaseTimes } from "../run/lease.ts";
import { type RunOptions, runJob } from "../run/run.ts";
import { notifyWorkAvailable, onWorkAvailable } from "../work-available.ts";
import { Claims } from "./claims.ts";
import { startRecovery } from "./maintenance.ts";
import { sweep } from "./sweep.ts";
import { WorkerLoop } from "./worker-loop.ts";

const { leaseSeconds, renewSeconds, gracePeriodSeconds } = runnerTimes;

export const leaseTimes: LeaseTimes = {
  ...{ leaseSeconds, renewSeconds, gracePeriodSeconds },
  timeoutSeconds: env.JOB_TIMEOUT,
};

/** Files that one runner fetches at once, in addition to the jobs on its engines. */
export const fetchConcurrency = 16;

/** Jobs that one runner runs on engines at once. */
export function mediaConcurrency(): number {
  return env.MEDIA_CONCURRENCY ?? availableParallelism();
}

export interface Runner {
  /** Whether work can reach it now. */
  isWorking(): boolean;
  /** Claims no more work, finishes or releases what runs, and resolves when nothing runs. */
  stop(): Promise<void>;
}

/** Runs jobs of the embedded queue until stopped. */
export async function startMediaRunner(times: LeaseTimes = leaseTimes): Promise<Runner> {
  const stopping = new AbortController();
  const queue = await EmbeddedQueue.open({ worker: true });
  adoptQueue(queue);
  const stopListening = await cancellations.listen();
  const options: RunOptions = { times, stopping: stopping.signal };
  const loops = {
    fetch: loopFor("fetch", fetchConcurrency),
    run: loopFor("run", mediaConcurrency()),
  };
  const wakeAll = () => {
    for (const loop of Object.values(loops)) loop.wake();
  };
  const claims = new Claims(times.leaseSeconds, wakeAll);

  function loopFor(stage: JobStage, concurrency: number): WorkerLoop {
    return new WorkerLoop(concurrency, (onFound) =>
      claims.runNext(stage, (claimed) => {
        onFound();
        return runJob(claimed, options);
      }),
    );
  }

  for (const stage of jobStages) {
    // A message signals that there is work, not which. The claim selects the job.
    await queue.work(queueNames[stage], async (messages) => {
      if (messages.some(() => !loops[stage].wake())) await notifyWorkAvailable();
    });
  }
  await queue.work(queueNames.sweep, sweep);
  const stopRecovery = startRecovery(runnerTimes.recoveryMs);
  const stopWaking = await onWorkAvailable(wakeAll);
  // In case all messages about a job are lost.
  const polling = setInterval(wakeAll, runnerTimes.pollMs);

  return {
    isWorking: () => true,
    async stop() {
      stopRecovery();
      clearInterval(polling);
      for (const loop of Object.values(loops)) loop.stop();
      for (const name of [queueNames.fetch, queueNames.run, queueNames.sweep]) {
        await queue.stopWork(name);
      }
      const timer = setTimeout(() => stopping.abort(), times.gracePeriodSeconds * 1000);
      await Promise.all(Object.values(loops).map((loop) => loop.waitUntilIdle()));
      clearTimeout(timer);
      await stopListening();
      await stopWaking();
      await queue.close();
    },
  };
}
