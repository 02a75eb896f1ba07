import { sql } from "drizzle-orm";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { db } from "#lib/db/client.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { flushSpans, withSpan } from "#lib/tracing/spans.ts";
import { startTracing } from "#lib/tracing/start.ts";
import { FaultPlan } from "#tests/faults/plan.ts";
import { SpanCollector } from "#tests/servers/otlp.ts";
import { startReceiver } from "#tests/service/deliveries.ts";
import { acceptJob, makeAccount, waitForJobState } from "#tests/service/jobs.ts";
import { RunnerProcess } from "#tests/service/runner-process.ts";
import { drawTrace, traceOfJob, waitForSpans } from "#tests/support/traces.ts";

vi.setConfig({ testTimeout: 120_000 });

const collector = await SpanCollector.start();
Object.assign(process.env, collector.variables);
startTracing({ ...env, MEDIAMILL_SERVICE: "web" }, log);
const plan = new FaultPlan();

afterEach(() => db().execute(sql`delete from jobs`));
afterAll(() => {
  plan.remove();
  collector.stop();
});

it("the attempt of a killed runner is in the trace, and the next attempt refers to it", async () => {
  let hangs = true;
  const source = await startReceiver((_request, response) => {
    if (!hangs) response.end("some text");
  });
  const variables = {
    ...plan.variables,
    ...collector.variables,
    FETCH_ALLOW: source.host,
    MEDIA_ENGINES: "av",
  };
  const target = await RunnerProcess.start(variables);
  const accept = async () => acceptJob(await makeAccount(), source.url);
  const { id } = await withSpan("request", { kind: "server", parent: null }, accept);
  await waitForSpans(() => collector.spans, id, "wait in queue");
  await target.kill();
  hangs = false;
  const survivor = await RunnerProcess.start(variables);
  expect(await waitForJobState(id, undefined, 60_000)).toMatchObject({ runnerDeaths: 1 });
  await survivor.stop();
  await flushSpans();
  const trace = traceOfJob(collector.spans, id);
  expect(drawTrace(trace)).toEqual([
    "server request",
    "  producer enqueue job",
    "    internal wait in queue",
    "    consumer fetch pipeline/file-inspect failed",
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
  ]);
  const [lost, next] = trace.filter(({ name }) => name === "fetch pipeline/file-inspect");
  expect(lost?.attributes).toMatchObject({ "error.type": "runner_lost", "mediamill.attempt": 1 });
  expect(next?.attributes).toMatchObject({
    "mediamill.attempt": 2,
    "mediamill.runner_deaths": 1,
    "mediamill.outcome": "fetched",
  });
  expect(next?.links.map(({ spanId }) => spanId)).toEqual([lost?.spanId]);
});
