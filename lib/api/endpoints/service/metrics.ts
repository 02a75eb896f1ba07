import { db } from "#lib/db/client.ts";
import { listTotals } from "#lib/db/queries/usage/metric-totals.ts";
import type { MetricTotal } from "#lib/db/schema/metric-totals.ts";
import { env } from "#lib/env.ts";
import { RequestError } from "#lib/errors.ts";
import { reportMetrics } from "#lib/jobs/metrics-report.ts";
import { readMetrics, type Sample } from "#lib/metrics.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { unknownPath } from "../../http/error-response.ts";
import { chooseFormat, joinMetrics, type MetricsFormat, renderMetrics } from "./metrics-format.ts";
import { hasMetricsToken } from "./metrics-token.ts";
import { renderQueueMetrics } from "./queue-metrics.ts";

const metricsContent = {
  "text/plain": { type: "string" },
  "application/openmetrics-text": { type: "string" },
};

/** The counters of all processes and the state of the queue. Without a token the path does not exist. */
export const readMetricsText = defineEndpoint({
  method: "GET",
  path: "/metrics",
  operationId: "readMetrics",
  tag: "Account",
  summary: "Read the metrics of the service in Prometheus' text format, or as OpenMetrics.",
  description: "Only with `METRICS_TOKEN` as bearer token.",
  internal: true,
  access: "public",
  responses: {
    200: { description: "The metrics.", content: metricsContent },
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
    const format = chooseFormat(request);
    const texts = await Promise.all([renderTotals(format), renderQueueMetrics(format)]);
    return new Response(joinMetrics(texts, format), {
      headers: { "Content-Type": format, Vary: "Accept" },
    });
  },
});

async function renderTotals(format: MetricsFormat): Promise<string> {
  await reportMetrics();
  const totals = Map.groupBy(await listTotals(db()), ({ name }) =>
    name.replace(/_(bucket|sum|count)$/, ""),
  );
  const summed = (await readMetrics()).map((metric) => ({
    metric,
    samples: (totals.get(metric.name) ?? []).map(toSample).sort(compareSamples),
  }));
  return renderMetrics(summed, format);
}

function toSample({ name, labels, value, exemplar }: MetricTotal): Sample {
  return { name, labels: JSON.parse(labels), value, ...(exemplar ? { exemplar } : {}) };
}

/** OpenMetrics requires that the numbers with the same labels are together, and buckets are ascending. */
function compareSamples(one: Sample, other: Sample): number {
  const [first, second] = [one, other].map(({ labels: { le: _, ...labels } }) =>
    JSON.stringify(labels),
  );
  if (first !== second) return (first ?? "") < (second ?? "") ? -1 : 1;
  return boundOf(one) - boundOf(other) || (one.name < other.name ? 1 : -1);
}

/** The sum and the count come after the last bucket. */
function boundOf({ labels: { le } }: Sample): number {
  if (le === undefined) return Number.MAX_VALUE;
  return le === "+Inf" ? Number.MAX_VALUE / 2 : Number(le);
}
