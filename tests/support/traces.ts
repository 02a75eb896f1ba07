import type { CollectedSpan } from "#tests/servers/otlp.ts";
import { waitUntil } from "./processes.ts";

/** Spans of one trace as indented lines, each child below its parent; in the order of their starts. */
export function drawTrace(spans: readonly CollectedSpan[]): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentSpanId }) => !ids.has(parentSpanId));
  const draw = (level: readonly CollectedSpan[], indent: string): string[] =>
    level
      .toSorted((one, other) => one.startTimeUnixNano - other.startTimeUnixNano)
      .flatMap((span) => [
        `${indent}${span.kind} ${span.name}${span.status.code === 2 ? " failed" : ""}`,
        ...draw(
          spans.filter(({ parentSpanId }) => parentSpanId === span.spanId),
          `${indent}  `,
        ),
      ]);
  return draw(roots, "");
}

/** The spans of the trace in which the job was accepted. */
export function traceOfJob(spans: readonly CollectedSpan[], jobId: string): CollectedSpan[] {
  const found = spans.find(
    ({ name, attributes }) => name === "enqueue job" && attributes["mediamill.job_id"] === jobId,
  );
  return spans.filter(({ traceId }) => traceId === found?.traceId);
}

/** Waits until the job's trace has `count` spans with the name, and returns the trace. */
export async function waitForSpans(
  read: () => Promise<readonly CollectedSpan[]> | readonly CollectedSpan[],
  jobId: string,
  name: string,
  count = 1,
): Promise<CollectedSpan[]> {
  let trace: CollectedSpan[] = [];
  const isComplete = async () => {
    trace = traceOfJob(await read(), jobId);
    return trace.filter((span) => span.name === name).length >= count;
  };
  await waitUntil(isComplete, 20_000).catch(() => {});
  return trace;
}
