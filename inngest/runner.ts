import { cancellations, type LeaseTimes } from "#lib/jobs/run/lease.ts";
import { startRecovery, startSweeping } from "#lib/jobs/runner/maintenance.ts";
import { fetchConcurrency, mediaConcurrency, type Runner } from "#lib/jobs/runner/media-runner.ts";
import { Room } from "#lib/jobs/runner/shared-exclusive-lock.ts";
import { webhookConcurrency } from "#lib/jobs/runner/webhook-runner.ts";
import { times } from "#times";
import { fetchApp, mediaApp, webhooksApp } from "./client.ts";
import { connectApp } from "./connection.ts";
import { createDeliverWebhook } from "./deliver-webhook.ts";
import { createFetchInputs, createRunJob } from "./run-job.ts";

/** How long a runner that stops waits for Inngest to take its last answers. */
const answerMs = 8000;

/**
 * Works on jobs that Inngest hands out until stopped. A runner's death is noticed by its lease, long
 * before Inngest gives its step to another.
 */
export async function startInngestMediaRunner(held: LeaseTimes): Promise<Runner> {
  const handBack = new AbortController();
  const options = { times: held, stopping: handBack.signal, room: new Room() };
  const unlisten = await cancellations.listen();
  const [fetching, media] = [fetchApp(), mediaApp()];
  const connections = [
    connectApp(fetching, [createFetchInputs(fetching, options)], fetchConcurrency),
    connectApp(media, [createRunJob(media, options)], mediaConcurrency()),
  ];
  const stopRecovery = startRecovery(times.recoveryMs);
  // The function of that name is for hosts without a runner that stays.
  const stopSweeping = startSweeping();
  return {
    isWorking: () => connections.every((connection) => connection.isActive()),
    async stop() {
      stopRecovery();
      stopSweeping();
      const finishMs = held.finishSeconds * 1000;
      const timer = setTimeout(() => handBack.abort(), finishMs);
      await Promise.all(connections.map((connection) => connection.close(finishMs + answerMs)));
      clearTimeout(timer);
      await unlisten();
    },
  };
}

/** Makes the attempts of webhooks that Inngest hands out until stopped. */
export async function startInngestWebhookRunner(): Promise<Runner> {
  const client = webhooksApp();
  const connection = connectApp(client, [createDeliverWebhook(client)], webhookConcurrency);
  return {
    isWorking: () => connection.isActive(),
    // An attempt takes 15 s at most.
    stop: () => connection.close(15_000 + answerMs),
  };
}
