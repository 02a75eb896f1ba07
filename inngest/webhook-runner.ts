import type { Runner } from "#lib/jobs/runner/media-runner.ts";
import { OpenRuns } from "#lib/jobs/runner/open-runs.ts";
import { webhookConcurrency } from "#lib/jobs/runner/webhook-runner.ts";
import { log } from "#lib/log.ts";
import { times as runnerTimes } from "#times";
import { webhooksApp } from "./client.ts";
import { connectApp, responseTimeoutMs } from "./connection.ts";
import { createDeliverWebhook } from "./deliver-webhook.ts";
import { DeliverySlots } from "./delivery-slots.ts";

/** Makes webhook attempts in the runs that Inngest assigns to this runner, until stopped. */
export async function startInngestWebhookRunner(): Promise<Runner> {
  const client = webhooksApp();
  const openRuns = new OpenRuns({ delivery: webhookConcurrency });
  const slots = new DeliverySlots(openRuns);
  const functions = [createDeliverWebhook(client, slots)];
  const connection = connectApp(client, functions, webhookConcurrency);
  return {
    openRuns,
    isWorking: () => connection.isActive(),
    async stop() {
      await slots.stop().catch((err) => log.warn({ err }, "waiting deliveries not recorded"));
      await connection.close(runnerTimes.webhookResponseMs + responseTimeoutMs);
    },
  };
}
