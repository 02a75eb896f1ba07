import { createHash } from "node:crypto";

/** A span as other processes know it: the values of the headers of W3C Trace Context. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** A runner that vanished while it held a job: its lease, and since when that attempt was due. */
export interface LostAttempt {
  readonly token: string;
  /** The time in RFC 3339. */
  readonly dueAt: string;
}

/** What a job keeps of its trace: the span that accepted it, and the last attempt whose runner vanished. */
export interface JobTrace extends TraceContext {
  readonly lost?: LostAttempt;
}

/** The parts of a `traceparent` of version 00. */
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** What metrics and logs show of a span; undefined if its trace is not sent to the collector. */
export function sampledIds({
  traceparent,
}: TraceContext): { readonly trace_id: string; readonly span_id: string } | undefined {
  const [, trace_id, span_id, flags = "0"] = pattern.exec(traceparent) ?? [];
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return isSampled && trace_id && span_id ? { trace_id, span_id } : undefined;
}

/** The labels of an exemplar; none if the trace is not sent to the collector. */
export function exemplarOf(context: TraceContext | null | undefined): Record<string, string> {
  return { ...(context && sampledIds(context)) };
}

/** The id of the span with this seed, so that another process can refer to it. */
export function spanIdOf(seed: string): string {
  return createHash("sha256").update(seed).digest("hex").slice(0, 16);
}

/** The span with this seed in the trace of `context`. */
export function siblingOf({ traceparent, tracestate }: TraceContext, seed: string): TraceContext {
  const state = tracestate === undefined ? {} : { tracestate };
  return { traceparent: traceparent.replace(/-[0-9a-f]{16}-/, `-${spanIdOf(seed)}-`), ...state };
}
