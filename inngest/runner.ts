import { hostname } from "node:os";
import type { Inngest, InngestFunction } from "inngest";
import { connect } from "inngest/connect";
import { cancellations, type LeaseTimes } from "#lib/jobs/lease.ts";
import { mediaConcurrency, type Runner } from "#lib/jobs/media-runner.ts";
import { mediaApp, webhooksApp } from "./client.ts";
import { createDeliverWebhook } from "./deliver-webhook.ts";
import { createRunJob } from "./run-job.ts";

/** A runner's death is noticed by its lease; Inngest itself needs longer to give a step to another. */
export async function startInngestMediaRunner(times: LeaseTimes): Promise<Runner> {
  const stopping = new AbortController();
  const client = mediaApp();
  const unlisten = await cancellations.listen();
  const stop = await connectApp(
    client,
    [createRunJob(client, times, stopping.signal)],
    mediaConcurrency(),
  );
  return {
    async stop() {
      stopping.abort();
      await stop();
      await unlisten();
    },
  };
}

export async function startInngestWebhookRunner(): Promise<Runner> {
  const client = webhooksApp();
  return { stop: await connectApp(client, [createDeliverWebhook(client)], 100) };
}

async function connectApp(
  client: Inngest,
  functions: InngestFunction.Any[],
  maxWorkerConcurrency: number,
): Promise<() => Promise<void>> {
  const connection = await connect({
    apps: [{ client, functions }],
    instanceId: `${client.id}-${hostname()}-${process.pid}`,
    maxWorkerConcurrency,
    // Signals are ours to handle: what runs is handed back first.
    handleShutdownSignals: [],
  });
  return () => connection.close();
}
