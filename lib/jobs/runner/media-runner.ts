import { availableParallelism } from "node:os";
import { db } from "#lib/db/client.ts";
import { readDueJobs } from "#lib/db/queries/jobs/queue-state.ts";
import { type JobStage, jobStages } from "#lib/db/schema/job-states.ts";
import { env } from "#lib/env.ts";
import { notifyWorkAvailable, onWorkAvailable } from "#lib/queue/work-available.ts";
import { times as runnerTimes } from "#times";
import { EngineSlots } from "../run/engine-slots.ts";
import { cancellations, type LeaseTimes } from "../run/lease.ts";
import { type RunOptions, runJob } from "../run/run.ts";
import { Claims } from "./claims.ts";
import { DueTimer } from "./due-timer.ts";
import { configuredEngines, type Engines, watchLeftOperations } from "./left-operations.ts";
import { startMaintenance } from "./maintenance.ts";
import type { OpenRuns } from "./open-runs.ts";
import { type Place, Turns } from "./turns.ts";
import { WorkerLoop } from "./worker-loop.ts";

const { leaseSeconds, renewSeconds, gracePeriodSeconds } = runnerTimes;

export const leaseTimes: LeaseTimes = {
  leaseSeconds,
  renewSeconds,
  gracePeriodSeconds,
  timeoutSeconds: env.JOB_TIMEOUT,
};

/** Files that one runner fetches at once, in addition to the jobs on its engines. */
export const fetchConcurrency = 16;

/** Jobs that one runner runs on engines at once. */
export function mediaConcurrency(): number {
  return env.MEDIA_CONCURRENCY ?? availableParallelism();
}

/** The slots of a runner for jobs on engines. */
export function createEngineSlots(): EngineSlots {
  return new EngineSlots({ size: mediaConcurrency(), maxWaitMs: runnerTimes.engineWaitMs });
}

/** While all engines are busy, a runner leaves a new job to idle runners for this time. */
const prefetchDelayMs = 20;

/** Jobs that one runner holds: on engines, prepared for the next free engine, and being stored. */
function heldJobs(): number {
  return 3 * mediaConcurrency();
}

export interface Runner {
  /** The runs of Inngest in this process. Undefined under the embedded queue. */
  readonly openRuns?: OpenRuns;
  /** Whether work can reach it now. */
  isWorking(): boolean;
  /** Claims no more work, finishes or releases what runs, and resolves when nothing runs. */
  stop(): Promise<void>;
}

/**
 * Runs jobs of the embedded queue until stopped: those for which the engines work. `place` is where this runner
 * is among those that are alive; without it, it looks for every new job.
 */
export async function startMediaRunner(
  times: LeaseTimes = leaseTimes,
  engines: Engines = configuredEngines,
  engineSlots = createEngineSlots(),
  place: () => Place | undefined = () => undefined,
): Promise<Runner> {
  const stopping = new AbortController();
  const stopListening = await cancellations.listen();
  const options: RunOptions = { times, stopping: stopping.signal, engineSlots };
  let isHeldBack = false;
  const loops = {
    fetch: new WorkerLoop(fetchConcurrency, (onMore) => runNext("fetch", onMore)),
    run: new WorkerLoop(heldJobs(), async (onMore) => {
      // A runner that drains claims again, to go on draining. It gets no other job.
      isHeldBack = !engineSlots.isSoonFree && !claims.isDraining;
      if (!isHeldBack) await runNext("run", onMore);
    }),
  };
  engineSlots.onRelease = () => {
    if (isHeldBack) loops.run.wake();
  };
  const wake = (stages: readonly JobStage[]) => {
    for (const stage of stages) loops[stage].wake();
  };
  const left = watchLeftOperations(engines, () => wake(jobStages));
  const claims = new Claims(times.leaseSeconds, () => wake(jobStages), left);

  const isFree = (stage: JobStage) =>
    stage === "fetch" ? loops.fetch.hasFree : engineSlots.hasFree && !claims.isBlocked;
  const turns = new Turns({
    place,
    isFree,
    leavesJobs: () => left().length > 0,
    look: wakeForNewJob,
    notify: (work) => notifyWorkAvailable(db(), work),
  });

  function wakeForNewJob(stage: JobStage): void {
    if (stage === "fetch" || engineSlots.hasFree) loops[stage].wake();
    else setTimeout(() => loops[stage].wake(), prefetchDelayMs);
  }

  function runNext(stage: JobStage, onMore: () => void): Promise<void> {
    return claims.runNext(stage, onMore, (claimed) => runJob(claimed, options));
  }

  const timer = new DueTimer(async () => {
    const { stages, nextSeconds } = await readDueJobs(db());
    wake(stages);
    return nextSeconds;
  }, runnerTimes.pollMs);
  // A notification says that there is work, not which. The claim selects the job.
  const stopWaking = await onWorkAvailable(
    ({ kind, delaySeconds, ...turn }) => {
      if (kind === "delivery") return;
      if (delaySeconds > 0) timer.schedule(delaySeconds);
      else for (const stage of kind === "job" ? jobStages : [kind]) turns.take(stage, turn);
    },
    () => timer.schedule(0),
  );
  const stopMaintenance = startMaintenance(runnerTimes.recoveryMs);

  return {
    isWorking: () => true,
    async stop() {
      stopMaintenance();
      timer.stop();
      turns.stop();
      for (const loop of Object.values(loops)) loop.stop();
      claims.stop();
      engineSlots.close();
      const graceTimer = setTimeout(() => stopping.abort(), times.gracePeriodSeconds * 1000);
      await Promise.all(Object.values(loops).map((loop) => loop.waitUntilIdle()));
      clearTimeout(graceTimer);
      await stopListening();
      await stopWaking();
    },
  };
}
