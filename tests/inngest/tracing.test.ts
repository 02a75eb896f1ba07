import { sql } from "drizzle-orm";
import { afterAll, expect, inject, it } from "vitest";
import { startInngestMediaRunner } from "#inngest/media-runner.ts";
import { startInngestWebhookRunner } from "#inngest/webhook-runner.ts";
import { db } from "#lib/db/client.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { withSpan } from "#lib/tracing/spans.ts";
import { startTracing } from "#lib/tracing/start.ts";
import "#tests/servers/inngest/inngest.ts";
import { SpanCollector } from "#tests/servers/otlp.ts";
import { acceptJob, makeAccount, shortTimes, waitForJobState } from "#tests/service/jobs.ts";
import { waitUntil } from "#tests/support/processes.ts";
import { drawTrace, waitForSpans } from "#tests/support/traces.ts";

const collector = await SpanCollector.start();
Object.assign(process.env, collector.variables);
startTracing(env, log);

afterAll(async () => {
  await db().execute(sql`delete from jobs`);
  collector.stop();
});

it("under Inngest, the trace of a job is the same, and its attempts name the run", async () => {
  const host = `http://127.0.0.1:${inject("hostPort")}`;
  const media = await startInngestMediaRunner(shortTimes);
  const webhooks = await startInngestWebhookRunner();
  await waitUntil(() => media.isWorking() && webhooks.isWorking());
  const webhookUrl = `${host}/hook/traced/200`;
  const accept = async () => acceptJob(await makeAccount(), `${host}/hook/a/200`, { webhookUrl });
  const { id } = await withSpan("request", { kind: "server", parent: null }, accept);
  expect(await waitForJobState(id)).toMatchObject({ status: "completed" });
  await waitForSpans(() => collector.spans, id, "deliver webhook");
  const trace = await waitForSpans(() => collector.spans, id, "run pipeline/file-inspect");
  await webhooks.stop();
  await media.stop();
  expect(drawTrace(trace)).toEqual([
    "server request",
    "  producer enqueue job",
    "    internal wait in queue",
    "    consumer fetch pipeline/file-inspect",
    "      internal settle",
    "    internal wait in queue",
    "    consumer run pipeline/file-inspect",
    "      internal gather",
    "      internal wait for engine",
    "      internal engine",
    "      internal store",
    "      internal settle",
    "        client deliver webhook",
  ]);
  const attempts = trace.filter(({ kind }) => kind === "consumer");
  const runs = attempts.map(({ attributes }) => attributes["mediamill.inngest_run"]);
  expect(runs).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
});
