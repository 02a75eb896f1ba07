import { AggregatorRegistry, Registry } from "prom-client";
import { db } from "#lib/db/client.ts";
import { listTotals } from "#lib/db/queries/usage/metric-totals.ts";
import type { MetricTotal } from "#lib/db/schema/metric-totals.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { reportMetrics } from "#lib/jobs/metrics-report.ts";
import { type Metric, readMetrics } from "#lib/metrics.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { unknownPath } from "../../http/error-response.ts";
import { hasMetricsToken } from "./metrics-token.ts";
import { renderQueueMetrics } from "./queue-metrics.ts";

/** The counters of all processes and the state of the queue. Without a token the path does not exist. */
export const readMetricsText = defineEndpoint({
  method: "GET",
  path: "/metrics",
  operationId: "readMetrics",
  tag: "Account",
  summary: "Read the metrics of the service in Prometheus' text format.",
  description: "Only with `METRICS_TOKEN` as bearer token.",
  internal: true,
  access: "public",
  responses: {
    200: { description: "The metrics.", content: { "text/plain": { type: "string" } } },
  },
  errors: ["unauthorized", "not_found"],
  async handler({ request }) {
    if (!env.METRICS_TOKEN) throw unknownPath();
    if (!hasMetricsToken(request)) {
      const message = "The metrics token is required. Send it as `Authorization: Bearer`.";
      throw new RequestError("unauthorized", message, {
        headers: { "WWW-Authenticate": "Bearer" },
      });
    }
    const text = (await Promise.all([renderTotals(), renderQueueMetrics()])).join("\n");
    return new Response(`${text}\n`, {
      headers: { "Content-Type": Registry.PROMETHEUS_CONTENT_TYPE },
    });
  },
});

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

/** `metric` with the values of all processes instead of this one's. */
function withTotals(metric: Metric, totals: readonly MetricTotal[] = []): Metric {
  const values = totals.map(({ name, labels, value }) => ({
    metricName: name,
    labels: JSON.parse(labels),
    value,
  }));
  return { ...metric, values };
}
