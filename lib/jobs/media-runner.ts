import { availableParallelism } from "node:os";
import { transaction } from "#lib/db/client.ts";
import { claimNextJob } from "#lib/db/queries/leases.ts";
import { env } from "#lib/env.ts";
import { createToken } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { EmbeddedQueue, queueNames } from "#lib/queue/embedded.ts";
import { adoptQueue } from "#lib/queue/index.ts";
import { directSteps } from "#lib/queue/port.ts";
import { cancellations, type LeaseTimes } from "./lease.ts";
import { type RunOptions, runJob } from "./run.ts";
import { recoverLostJobs, sweep } from "./sweep.ts";

/** A lease outlives a renewal or two that fail, and is short enough that a dead runner's job goes on within 30 s. */
export const leaseTimes: LeaseTimes = {
  leaseSeconds: 20,
  renewSeconds: 5,
  timeoutSeconds: env.JOB_TIMEOUT,
};

/** How often this runner looks for jobs whose runner vanished. */
const recoveryMs = 5000;

/** Jobs one runner works on at once. */
export function mediaConcurrency(): number {
  return env.MEDIA_CONCURRENCY ?? availableParallelism();
}

export interface Runner {
  /** Takes no more work, hands back what runs, resolves when nothing does. */
  stop(): Promise<void>;
}

/** Works on jobs from the embedded queue until stopped. */
export async function startMediaRunner(times: LeaseTimes = leaseTimes): Promise<Runner> {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const opened = await EmbeddedQueue.open({ worker: true });
  adoptQueue(opened);
  const unlisten = await cancellations.listen();
  const options: RunOptions = { steps: directSteps, times, stopping: stopping.signal };
  const claim = () => claimNext(times.leaseSeconds);

  // A ticket says that there is work, not which: the claim decides, and goes on while there is more.
  const drain = async () => {
    while (!stopping.signal.aborted && (await runJob(claim, options)));
  };
  await opened.work(queueNames.job, mediaConcurrency(), () => track(running, drain()));
  await opened.work(queueNames.sweep, 1, () => track(running, sweep()));
  const recovery = setInterval(() => {
    track(running, recoverLostJobs()).catch((err) => log.warn({ err }, "recovery failed"));
  }, recoveryMs);

  return {
    async stop() {
      clearInterval(recovery);
      await opened.stopWork(queueNames.job);
      await opened.stopWork(queueNames.sweep);
      stopping.abort();
      await Promise.allSettled(running);
      await unlisten();
      await opened.close();
    },
  };
}

/** Takes the job whose turn it is, if any. */
async function claimNext(leaseSeconds: number) {
  const token = createToken();
  const job = await transaction((tx) => claimNextJob(tx, token, leaseSeconds));
  return job ? { jobId: job.id, token } : null;
}

async function track<Result>(
  running: Set<Promise<unknown>>,
  work: Promise<Result>,
): Promise<Result> {
  running.add(work);
  try {
    return await work;
  } finally {
    running.delete(work);
  }
}
