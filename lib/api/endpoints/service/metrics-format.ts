import { AggregatorRegistry, Registry, type RegistryContentType } from "prom-client";
import type { Metric, Sample } from "#lib/metrics.ts";

/** The content type of a format of `/metrics`. Only OpenMetrics has exemplars. */
export type MetricsFormat = RegistryContentType;

const prometheusText = Registry.PROMETHEUS_CONTENT_TYPE;
const openMetrics = Registry.OPENMETRICS_CONTENT_TYPE;

/** OpenMetrics if the client accepts it, as Prometheus does; else Prometheus' text format. */
export function chooseFormat({ headers }: Request): MetricsFormat {
  const types = (headers.get("accept") ?? "").toLowerCase().split(",");
  const accepts = types.some(
    (type) =>
      /^\s*application\/openmetrics-text\s*(;|$)/.test(type) && !/;\s*q=0(\.0*)?\s*$/.test(type),
  );
  return accepts ? openMetrics : prometheusText;
}

/** A metric, and its numbers summed over all processes. */
export interface SummedMetric {
  readonly metric: Metric;
  readonly samples: readonly Sample[];
}

export async function renderMetrics(
  summed: readonly SummedMetric[],
  format: MetricsFormat,
): Promise<string> {
  const hasExemplars = format === openMetrics;
  const metrics = summed.map(({ metric, samples }) => {
    // In OpenMetrics, the name of a counter has no suffix; its number gets it again.
    const isCounter = hasExemplars && String(metric.type) === "counter";
    const name = isCounter ? metric.name.replace(/_total$/, "") : metric.name;
    const values = samples.map(({ name: metricName, labels, value }) =>
      isCounter ? { labels, value } : { metricName, labels, value },
    );
    return { ...metric, name, values };
  });
  const registry = AggregatorRegistry.aggregate<MetricsFormat>([metrics]);
  registry.setContentType(format);
  if (hasExemplars) addExemplars(await registry.getMetricsAsJSON(), summed);
  return registry.metrics();
}

/** The registry renders `rendered`; it has dropped the exemplars, and kept the order of all values. */
function addExemplars(
  rendered: readonly { readonly values: readonly object[] }[],
  summed: readonly SummedMetric[],
): void {
  for (const [index, { samples }] of summed.entries()) {
    for (const [at, value] of (rendered[index]?.values ?? []).entries()) {
      Object.assign(value, { exemplar: samples[at]?.exemplar });
    }
  }
}

/** One response from the texts of several registries. */
export function joinMetrics(texts: readonly string[], format: MetricsFormat): string {
  if (format === prometheusText) return `${texts.join("\n")}\n`;
  const end = "# EOF\n";
  return texts.map((text) => text.replace(end, "")).join("") + end;
}
