import { timingSafeEqual } from "node:crypto";
import { AggregatorRegistry, Gauge, Registry } from "prom-client";
import { db } from "#lib/db/client.ts";
import {
  countDueWebhooks,
  countRunningJobs,
  countWaitingJobs,
} from "#lib/db/queries/jobs/queue-state.ts";
import { listTotals } from "#lib/db/queries/usage/metric-totals.ts";
import type { MetricTotal } from "#lib/db/schema/metric-totals.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { reportMetrics } from "#lib/jobs/metrics-report.ts";
import { planOf } from "#lib/jobs/queue-message.ts";
import { liveRunners } from "#lib/jobs/runner/heartbeat.ts";
import { type Metric, readMetrics } from "#lib/metrics.ts";
import { plans } from "#lib/plans.ts";
import { bearerToken } from "./http/authenticate.ts";
import { answerUnknown, type RequestContext } from "./http/route.ts";

/**
 * `GET /metrics`: what all processes together have counted, and the state of the queue as it is, in
 * Prometheus's text format. Only to the bearer of `METRICS_TOKEN`; without one there is no such path.
 */
export async function answerMetrics(context: RequestContext): Promise<Response> {
  const { request } = context;
  if (!env.METRICS_TOKEN) return answerUnknown(context);
  if (!isSame(bearerToken(request) ?? "", env.METRICS_TOKEN)) {
    throw new RequestError(
      "unauthorized",
      "The metrics' token is required, as Authorization: Bearer.",
      {
        headers: { "WWW-Authenticate": "Bearer" },
      },
    );
  }
  const text = (await Promise.all([renderTotals(), renderState()])).join("\n");
  return new Response(`${text}\n`, {
    headers: { "Content-Type": Registry.PROMETHEUS_CONTENT_TYPE },
  });
}

/** In the same time, wherever they differ. */
function isSame(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function renderTotals(): Promise<string> {
  await reportMetrics();
  const totals = Map.groupBy(await listTotals(db()), ({ name }) =>
    name.replace(/_(bucket|sum|count)$/, ""),
  );
  const metrics = (await readMetrics()).map((metric) =>
    withTotals(metric, totals.get(metric.name)),
  );
  return AggregatorRegistry.aggregate([metrics]).metrics();
}

/** `metric` with the numbers of all processes in place of this one's. */
function withTotals(metric: Metric, totals: readonly MetricTotal[] = []): Metric {
  const values = totals.map(({ name, labels, value }) => ({
    metricName: name,
    labels: JSON.parse(labels),
    value,
  }));
  return { ...metric, values };
}

async function renderState(): Promise<string> {
  const registry = new Registry();
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge({ name: `mediamill_${name}`, help, labelNames, registers: [registry] });
  const depth = gauge("queue_jobs", "Jobs that wait, by plan and by what for.", ["plan", "stage"]);
  const oldest = gauge(
    "queue_oldest_seconds",
    "How long the job that has waited longest has waited, by plan and by what for.",
    ["plan", "stage"],
  );
  for (const plan of Object.keys(plans)) {
    for (const stage of ["fetch", "run"]) {
      depth.set({ plan, stage }, 0);
      oldest.set({ plan, stage }, 0);
    }
  }
  for (const waiting of await countWaitingJobs(db())) {
    const labels = { plan: planOf(waiting), stage: waiting.stage };
    depth.set(labels, waiting.jobs);
    oldest.set(labels, waiting.oldestSeconds);
  }
  const running = gauge("running_jobs", "Jobs at work, by what they are at.", ["stage"]);
  for (const [stage, jobs] of Object.entries(await countRunningJobs(db()))) {
    running.set({ stage }, jobs);
  }
  const due = await countDueWebhooks(db());
  gauge("webhooks_due", "Webhooks whose attempt is due.", []).set(due.webhooks);
  gauge("webhooks_oldest_seconds", "How long the first of them has been due.", []).set(
    due.oldestSeconds,
  );
  const alive = gauge("runners", "Runners that are alive, by kind.", ["kind"]);
  for (const kind of ["media", "webhooks"] as const) {
    alive.set({ kind }, (await liveRunners(kind)).length);
  }
  return registry.metrics();
}
