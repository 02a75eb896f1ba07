import { hostname } from "node:os";
import { setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { SdkTracing, SeededIds } from "./sdk-tracing.ts";
import { isTracing, setTracing } from "./spans.ts";

export interface TracingSettings {
  readonly OTEL_SDK_DISABLED: boolean;
  readonly MEDIAMILL_SERVICE: string;
}

interface WarningLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The most frequent warning about a collector that takes no spans. */
const warningIntervalMs = 60_000;

/**
 * Starts to send spans to the collector, once per process, as the variables `OTEL_*` say: the SDK reads them. Nothing is registered globally with
 * OpenTelemetry: libraries such as Next.js would send spans of their own, with the URLs of requests.
 * Import this module only if tracing is on, because the packages are large.
 */
export function startTracing(settings: TracingSettings, log: WarningLog): void {
  if (isTracing() || settings.OTEL_SDK_DISABLED) return;
  reportFailures(log);
  const ids = new SeededIds();
  const provider = new BasicTracerProvider({
    resource: createResource(settings.MEDIAMILL_SERVICE),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  setTracing(new SdkTracing(provider, ids));
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` come last, so that they decide. */
function createResource(service: string) {
  return defaultResource()
    .merge(
      resourceFromAttributes({
        "service.name": `mediamill-${service}`,
        "service.instance.id": `${hostname()}-${process.pid}`,
        "mediamill.service": service,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
}

/** The spans of a failed export are lost. Work never waits for the collector, and never fails with it. */
function reportFailures(log: WarningLog): void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    if (performance.now() - warnedAt < warningIntervalMs) return;
    warnedAt = performance.now();
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason: reason.slice(0, 200) }, "spans were not accepted by the collector");
  });
}
