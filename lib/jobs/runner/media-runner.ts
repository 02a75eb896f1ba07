import { availableParallelism } from "node:os";
import { env } from "#lib/env.ts";
import { EmbeddedQueue, queueNames } from "#lib/queue/embedded.ts";
import { adoptQueue } from "#lib/queue/index.ts";
import type { JobStage } from "#lib/queue/port.ts";
import { times } from "#times";
import { cancellations, type LeaseTimes } from "../run/lease.ts";
import { type RunOptions, runJob } from "../run/run.ts";
import { notifyWorkAvailable, onWorkAvailable } from "../work-available.ts";
import { Claims } from "./claims.ts";
import { startRecovery } from "./maintenance.ts";
import { sweep } from "./sweep.ts";
import { Pump } from "./worker-loop.ts";

const { leaseSeconds, renewSeconds, finishSeconds } = times;

export const leaseTimes: LeaseTimes = {
  ...{ leaseSeconds, renewSeconds, finishSeconds },
  timeoutSeconds: env.JOB_TIMEOUT,
};

/** Files one runner fetches at once, beside the jobs that its engines work on. */
export const fetchConcurrency = 16;

/** Jobs one runner works on at once. */
export function mediaConcurrency(): number {
  return env.MEDIA_CONCURRENCY ?? availableParallelism();
}

export interface Runner {
  /** Whether work reaches it now. */
  isWorking(): boolean;
  /** Takes no more work, finishes or hands back what runs, resolves when nothing does. */
  stop(): Promise<void>;
}

/** Works on jobs from the embedded queue until stopped. */
export async function startMediaRunner(held: LeaseTimes = leaseTimes): Promise<Runner> {
  const handBack = new AbortController();
  const opened = await EmbeddedQueue.open({ worker: true });
  adoptQueue(opened);
  const unlisten = await cancellations.listen();
  const options: RunOptions = { times: held, stopping: handBack.signal };
  const pumps = {
    fetch: pumpFor("fetch", fetchConcurrency),
    run: pumpFor("run", mediaConcurrency()),
  };
  const wakeAll = () => {
    for (const pump of Object.values(pumps)) pump.wake();
  };
  const claims = new Claims(held.leaseSeconds, wakeAll);

  function pumpFor(stage: JobStage, places: number): Pump {
    return new Pump(places, (taken) =>
      claims.take(stage, (lease) => {
        taken();
        return runJob(async () => lease, options);
      }),
    );
  }

  for (const stage of ["fetch", "run"] as const) {
    // A ticket says that there is work, not which: the claim decides whose turn it is.
    await opened.work(queueNames[stage], async (tickets) => {
      if (tickets.some(() => !pumps[stage].wake())) await notifyWorkAvailable();
    });
  }
  await opened.work(queueNames.sweep, sweep);
  const stopRecovery = startRecovery(times.recoveryMs);
  const unhear = await onWorkAvailable(wakeAll);
  // Should all news of a job have been lost.
  const looking = setInterval(wakeAll, times.lookMs);

  return {
    isWorking: () => true,
    async stop() {
      stopRecovery();
      clearInterval(looking);
      for (const pump of Object.values(pumps)) pump.stop();
      for (const name of [queueNames.fetch, queueNames.run, queueNames.sweep]) {
        await opened.stopWork(name);
      }
      const timer = setTimeout(() => handBack.abort(), held.finishSeconds * 1000);
      await Promise.all(Object.values(pumps).map((pump) => pump.idle()));
      clearTimeout(timer);
      await unlisten();
      await unhear();
      await opened.close();
    },
  };
}
