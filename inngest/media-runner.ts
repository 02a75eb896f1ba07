import { type JobStage, jobStages } from "#lib/db/schema/job-states.ts";
import { cancellations, type LeaseTimes } from "#lib/jobs/run/lease.ts";
import { Claims } from "#lib/jobs/runner/claims.ts";
import {
  configuredEngines,
  type Engines,
  watchLeftOperations,
} from "#lib/jobs/runner/left-operations.ts";
import { startMaintenance } from "#lib/jobs/runner/maintenance.ts";
import {
  createEngineSlots,
  fetchConcurrency,
  mediaConcurrency,
  type Runner,
} from "#lib/jobs/runner/media-runner.ts";
import { OpenRuns } from "#lib/jobs/runner/open-runs.ts";
import { enqueueNewDeliveries, wakeRunners } from "#lib/jobs/runner/sweep.ts";
import { log } from "#lib/log.ts";
import { onWorkAvailable } from "#lib/queue/work-available.ts";
import { times as runnerTimes } from "#times";
import { fetchApp, mediaApp } from "./client.ts";
import { connectApp, responseTimeoutMs } from "./connection.ts";
import { JobSlots } from "./job-slots.ts";
import { createFetchInputs, createRunJob } from "./run-job.ts";

/** Events of one change, and of many that come at once, are enqueued together after this time. */
const fannedMs = 20;

/** Enqueues the deliveries of events, which statements write without a message. Of several runners, one gets a delivery. */
function createFannedQueue(): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      void enqueueNewDeliveries().catch(logLostWake);
    }, fannedMs);
  };
}

const logLostWake = (err: unknown) =>
  log.warn({ err }, "message not sent; the sweep sends another one");

/** Runs jobs in the runs that Inngest assigns to this runner, until stopped. */
export async function startInngestMediaRunner(
  times: LeaseTimes,
  engines: Engines = configuredEngines,
  engineSlots = createEngineSlots(),
): Promise<Runner> {
  const stopping = new AbortController();
  const concurrency = { fetch: fetchConcurrency, run: mediaConcurrency() };
  const openRuns = new OpenRuns(concurrency);
  const stopListening = await cancellations.listen();
  const wakeFor = (stage: JobStage) =>
    wakeRunners(stage, { seconds: 0, limit: concurrency[stage] });
  // Jobs that no runner could run brought no message since.
  const left = watchLeftOperations(engines, () => void wakeFor("run").catch(logLostWake));
  // A message that comes while an exclusive job blocks the runner is passed on, so nothing waits here.
  const claims = new Claims(times.leaseSeconds, () => {}, left);
  const slotsOf = (stage: JobStage) =>
    new JobSlots({
      stage,
      claims,
      openRuns,
      concurrency: concurrency[stage],
      run: { times, stopping: stopping.signal, engineSlots },
    });
  const slots = { fetch: slotsOf("fetch"), run: slotsOf("run") };
  const enqueueFanned = createFannedQueue();
  const stopWaking = await onWorkAvailable(
    ({ kind }) => {
      if (kind === "delivery") enqueueFanned();
      for (const stage of jobStages) if (kind === stage || kind === "job") slots[stage].wake();
    },
    () => {},
  );
  const fetching = fetchApp();
  const media = mediaApp();
  // Jobs that came while the slots of all other runners were in use brought no message.
  const connections = [
    connectApp(fetching, [createFetchInputs(fetching, slots.fetch)], concurrency.fetch, () =>
      wakeFor("fetch"),
    ),
    connectApp(media, [createRunJob(media, slots.run)], concurrency.run, () => wakeFor("run")),
  ];
  // The Inngest function `sweep` is only for deployments without a permanent runner.
  const stopMaintenance = startMaintenance(runnerTimes.recoveryMs);
  return {
    openRuns,
    isWorking: () => connections.every((connection) => connection.isActive()),
    async stop() {
      stopMaintenance();
      for (const stage of jobStages) slots[stage].stop();
      claims.stop();
      engineSlots.close();
      const graceMs = times.gracePeriodSeconds * 1000;
      const timer = setTimeout(() => stopping.abort(), graceMs);
      const closed = connections.map((connection) => connection.close(graceMs + responseTimeoutMs));
      await Promise.all([...closed, ...jobStages.map((stage) => slots[stage].waitUntilIdle())]);
      clearTimeout(timer);
      await stopListening();
      await stopWaking();
    },
  };
}
