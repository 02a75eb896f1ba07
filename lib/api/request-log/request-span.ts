import { env } from "#lib/env.ts";
import { startReporting } from "#lib/jobs/metrics-report.ts";
import { requestSeconds } from "#lib/metrics.ts";
import { currentTrace, withSpan } from "#lib/tracing/spans.ts";
import { exemplarOf, type TraceContext } from "#lib/tracing/trace-context.ts";
import type { Method, RequestContext } from "../definition/endpoint.ts";

/** The paths that monitoring reads every few seconds, which have no spans. */
const untracedPaths: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

/** The route of a path that no endpoint has. */
const unknownRoute = "unknown";

type TracedContext = Omit<RequestContext, "record"> & {
  readonly record?: RequestContext["record"];
};

/**
 * Responds to a request in a span, in the trace that the caller's `traceparent` names, and measures the
 * time until the response begins. `path` is the endpoint's, with placeholders: the URL itself may have
 * names of files and secrets.
 */
export async function withRequestSpan(
  method: Method,
  path: string | undefined,
  { request, requestId, url, record }: TracedContext,
  respond: () => Promise<Response>,
): Promise<Response> {
  if (untracedPaths.has(path)) return respond();
  const route = path ?? unknownRoute;
  const startedAt = performance.now();
  const attributes = {
    "http.request.method": method,
    "http.route": route,
    "mediamill.request_id": requestId,
  };
  const parent = traceOf(request) ?? currentTrace() ?? null;
  return withSpan(`${method} ${route}`, { kind: "server", parent, attributes }, async (span) => {
    const response = await respond();
    const { status, headers } = response;
    span.setAttributes({
      "http.response.status_code": status,
      "mediamill.account_id": record?.caller?.account.id,
      "mediamill.job_id": jobIdOf(url, response),
      "mediamill.error_code": headers.get("x-error-code"),
    });
    if (status >= 500) span.fail(headers.get("x-error-code") ?? String(status));
    measure(route, status, (performance.now() - startedAt) / 1000, span.context);
    return response;
  });
}

/** Only with `METRICS_TOKEN` can anyone read the metrics. */
function measure(
  route: string,
  status: number,
  seconds: number,
  context: TraceContext | undefined,
): void {
  if (!env.METRICS_TOKEN) return;
  startReporting();
  const labels = { route, status: `${Math.floor(status / 100)}xx` };
  requestSeconds.observe({ labels, value: seconds, exemplarLabels: exemplarOf(context) });
}

/** The caller's trace. Its headers are checked where they are used; what is not valid starts a trace. */
function traceOf({ headers }: Request): TraceContext | undefined {
  const traceparent = headers.get("traceparent");
  const tracestate = headers.get("tracestate");
  if (traceparent === null) return undefined;
  return { traceparent, ...(tracestate === null ? {} : { tracestate }) };
}

/** The job that the request is about, or that it created. */
export function jobIdOf({ pathname }: URL, response: Response): string | undefined {
  return /job_[0-9A-Za-z]{24}/.exec(`${pathname} ${response.headers.get("location")}`)?.[0];
}
