import { sampledIds, type TraceContext } from "./trace-context.ts";

/**
 * Spans of OpenTelemetry. This module loads no package: as long as `startTracing` of `start.ts` has not
 * been called, all functions here do nothing else than the work that they are given.
 *
 * Names and attributes never have what a customer wrote or sent: no file name, no URL, no value of a
 * parameter, no message of an error.
 */

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

/** Undefined values are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface SpanOptions {
  /** The kind of the span; `internal` by default. */
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /**
   * The parent; null starts a trace. By default the current span, and without one there is no span:
   * steps outside of any traced work are of no use.
   */
  readonly parent?: TraceContext | null;
  readonly links?: readonly TraceContext[];
  /** Determines the span's id; see `spanIdOf`. It must not be used twice in a trace. */
  readonly seed?: string;
}

/** A span that has ended. */
export interface EndedSpan extends SpanOptions {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Why it failed; see `Span.fail`. */
  readonly error?: string;
}

export interface Span {
  /** The context of the span; undefined if tracing is off. */
  readonly context: TraceContext | undefined;
  setAttributes(attributes: Attributes): void;
  /** Marks it as failed. `type` is a code or the name of a class. */
  fail(type: string): void;
}

/** What `startTracing` provides. */
export interface Tracing {
  run<Result>(
    name: string,
    options: SpanOptions,
    work: (span: Span) => Promise<Result>,
  ): Promise<Result>;
  record(name: string, span: EndedSpan): void;
  /** The current span, while it has not ended. */
  current(): TraceContext | undefined;
  /** Sends what has ended. */
  flush(): Promise<void>;
}

/**
 * The key of a global, because Next.js bundles its routes, and they have their own copy of this
 * module.
 */
const key = Symbol.for("mediamill.tracing");

function tracing(): Tracing | undefined {
  return Reflect.get(globalThis, key) as Tracing | undefined; // only `setTracing` sets it
}

export function setTracing(started: Tracing): void {
  Object.assign(globalThis, { [key]: started });
}

export function isTracing(): boolean {
  return tracing() !== undefined;
}

const noSpan: Span = { context: undefined, setAttributes: () => {}, fail: () => {} };

/**
 * Does `work` in a span, which ends with it. If `work` rejects, the span has failed, with the code of the
 * error or the name of its class.
 */
export function withSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const current = tracing();
  return current ? current.run(name, options, work) : work(noSpan);
}

/** Records a span of something that has ended. */
export function recordSpan(name: string, span: EndedSpan): void {
  tracing()?.record(name, span);
}

/** The current span; undefined if tracing is off or nothing is traced now. */
export function currentTrace(): TraceContext | undefined {
  return tracing()?.current();
}

/** The id of the current trace for log lines, if it is sent to the collector. */
export function traceField(): { readonly trace_id?: string } {
  const context = currentTrace();
  const ids = context && sampledIds(context);
  return ids ? { trace_id: ids.trace_id } : {};
}

/** Sends the spans that have ended. Resolves after `maxMs` at the latest. */
export async function flushSpans(maxMs = 2000): Promise<void> {
  const current = tracing();
  if (!current) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxMs);
  await Promise.race([current.flush(), promise]);
  clearTimeout(timer);
}

/** What a span shows of an error: its code, or the name of its class. Messages may have file names. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[\w.-]{1,64}$/.test(code) ? code : error.name;
}
