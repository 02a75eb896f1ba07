import {
  Counter,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  type OpenMetricsContentType,
  Registry,
} from "prom-client";

/** The metrics of this process. Prometheus reads the sums of all processes; see `lib/jobs/metrics-report.ts`. */
const registry = new Registry<OpenMetricsContentType>();
// Only such a registry has exemplars. Both formats are rendered from its numbers.
registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
const registers = [registry];

/** The bounds in seconds: from milliseconds, which most jobs take, to an hour, the default maximum. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

export const jobsEnded = new Counter({
  name: "mediamill_jobs_total",
  help: "Jobs that have ended, by operation and outcome (completed, failed, cancelled).",
  labelNames: ["operation", "outcome"],
  registers,
});

export const jobFailures = new Counter({
  name: "mediamill_job_failures_total",
  help: "Jobs that failed, by error code.",
  labelNames: ["code"],
  registers,
});

export const jobWait = new Histogram({
  name: "mediamill_job_wait_seconds",
  help: "Time from a job's acceptance to its start, by plan.",
  labelNames: ["plan"],
  buckets,
  registers,
});

export const jobPhase = new Histogram({
  name: "mediamill_job_phase_seconds",
  help: "Time that jobs spend in each phase: queued, fetching, waiting (for an engine or the next attempt), engine, storing.",
  labelNames: ["phase"],
  buckets,
  registers,
});

export const jobBytes = new Counter({
  name: "mediamill_job_bytes_total",
  help: "Bytes of the inputs (in) and outputs (out) of completed jobs, by operation.",
  labelNames: ["operation", "direction"],
  registers,
});

export const engineRestarts = new Counter({
  name: "mediamill_engine_restarts_total",
  help: "Warm engine processes that were stopped or replaced, by engine and reason (idle: no job had used it for a while, and the next one starts another; max_uses: it had served its maximum number of jobs; unhealthy: it failed, hung or was stopped; tenant: the next job was of another account or visitor).",
  labelNames: ["engine", "reason"],
  registers,
});

export const jobSeconds = new Histogram({
  name: "mediamill_job_seconds",
  help: "Time from a job's acceptance to its end, by outcome (completed, failed, cancelled).",
  labelNames: ["outcome"],
  buckets,
  enableExemplars: true,
  registers,
});

export const requestSeconds = new Histogram({
  name: "mediamill_request_seconds",
  help: "Time from a request to the beginning of its response, by route and class of status (2xx).",
  labelNames: ["route", "status"],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  enableExemplars: true,
  registers,
});

export const webhookAttempts = new Counter({
  name: "mediamill_webhook_attempts_total",
  help: "Attempts to deliver a webhook, by outcome (delivered, refused: another attempt follows, given_up).",
  labelNames: ["outcome"],
  registers,
});

export const webhookDuration = new Histogram({
  name: "mediamill_webhook_attempt_seconds",
  help: "How long webhook receivers took to respond.",
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  registers,
});

export const pictureRequests = new Counter({
  name: "mediamill_picture_requests_total",
  help: "Requests for pictures by URL, by outcome (hit: from the cache; miss: the picture was made; error).",
  labelNames: ["outcome"],
  registers,
});

export const pictureSeconds = new Histogram({
  name: "mediamill_picture_seconds",
  help: "Time to answer a request for a picture by URL, by outcome (hit, miss, error).",
  labelNames: ["outcome"],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  registers,
});

/** One number of one metric. A histogram has several, with different names. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** The latest observation of a bucket in a trace. */
  readonly exemplar?: MetricExemplar;
}

export interface MetricExemplar {
  readonly labelSet: Readonly<Record<string, string>>;
  readonly value: number;
  /** The time in seconds since the epoch. */
  readonly timestamp: number;
}

export type Metric = MetricObjectWithValues<MetricValue<string>>;

/** The metrics of this process since its start. */
export function readMetrics(): Promise<Metric[]> {
  return registry.getMetricsAsJSON();
}

/** The numbers of `metric`, each with its full name. */
export function samplesOf(metric: Metric): Sample[] {
  return metric.values.map((one) => ({
    // Each value of a histogram names its series.
    name: "metricName" in one && typeof one.metricName === "string" ? one.metricName : metric.name,
    labels: one.labels as Sample["labels"],
    value: one.value,
    ...exemplarOf(one),
  }));
}

/** prom-client adds it to the values of histograms, but its types do not have it. */
function exemplarOf(value: object): Pick<Sample, "exemplar"> {
  const exemplar = "exemplar" in value ? value.exemplar : undefined;
  return exemplar ? { exemplar: exemplar as MetricExemplar } : {};
}
