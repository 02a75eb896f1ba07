import { EngineSlots } from "#lib/jobs/run/engine-slots.ts";
import { cancellations, type LeaseTimes } from "#lib/jobs/run/lease.ts";
import { startMaintenance } from "#lib/jobs/runner/maintenance.ts";
import { fetchConcurrency, mediaConcurrency, type Runner } from "#lib/jobs/runner/media-runner.ts";
import { SharedExclusiveLock } from "#lib/jobs/runner/shared-exclusive-lock.ts";
import { webhookConcurrency } from "#lib/jobs/runner/webhook-runner.ts";
import { times as runnerTimes } from "#times";
import { fetchApp, mediaApp, webhooksApp } from "./client.ts";
import { connectApp } from "./connection.ts";
import { createDeliverWebhook } from "./deliver-webhook.ts";
import { createFetchInputs, createRunJob } from "./run-job.ts";

/** How long a stopping runner waits until Inngest has accepted its last responses. */
const responseTimeoutMs = 8000;

/**
 * Runs the jobs that Inngest assigns to this runner, until stopped. A vanished runner is detected by
 * its lease, long before Inngest retries its step on another runner.
 */
export async function startInngestMediaRunner(times: LeaseTimes): Promise<Runner> {
  const stopping = new AbortController();
  const options = {
    times,
    stopping: stopping.signal,
    lock: new SharedExclusiveLock(),
    engineSlots: new EngineSlots({ size: mediaConcurrency() }),
  };
  const stopListening = await cancellations.listen();
  const [fetching, media] = [fetchApp(), mediaApp()];
  const connections = [
    connectApp(fetching, [createFetchInputs(fetching, options)], fetchConcurrency),
    connectApp(media, [createRunJob(media, options)], mediaConcurrency()),
  ];
  // The Inngest function `sweep` is only for deployments without a permanent runner.
  const stopMaintenance = startMaintenance(runnerTimes.recoveryMs);
  return {
    isWorking: () => connections.every((connection) => connection.isActive()),
    async stop() {
      stopMaintenance();
      const graceMs = times.gracePeriodSeconds * 1000;
      const timer = setTimeout(() => stopping.abort(), graceMs);
      const closed = connections.map((connection) => connection.close(graceMs + responseTimeoutMs));
      await Promise.all(closed);
      clearTimeout(timer);
      await stopListening();
    },
  };
}

/** Makes the webhook attempts that Inngest assigns to this runner, until stopped. */
export async function startInngestWebhookRunner(): Promise<Runner> {
  const client = webhooksApp();
  const connection = connectApp(client, [createDeliverWebhook(client)], webhookConcurrency);
  return {
    isWorking: () => connection.isActive(),
    stop: () => connection.close(runnerTimes.webhookResponseMs + responseTimeoutMs),
  };
}
