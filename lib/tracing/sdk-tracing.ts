import { AsyncLocalStorage } from "node:async_hooks";
import {
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind as SdkSpanKind,
  type SpanContext,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent, TraceState } from "@opentelemetry/core";
import {
  type BasicTracerProvider,
  type IdGenerator,
  RandomIdGenerator,
} from "@opentelemetry/sdk-trace-base";
import {
  type Attributes,
  type EndedSpan,
  errorType,
  type Span,
  type SpanKind,
  type SpanOptions,
  type Tracing,
} from "./spans.ts";
import { spanIdOf, type TraceContext } from "./trace-context.ts";

const kinds: Readonly<Record<SpanKind, SdkSpanKind>> = {
  internal: SdkSpanKind.INTERNAL,
  server: SdkSpanKind.SERVER,
  client: SdkSpanKind.CLIENT,
  producer: SdkSpanKind.PRODUCER,
  consumer: SdkSpanKind.CONSUMER,
};

/** Random ids, but for the next span with a seed. */
export class SeededIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  /** The seed of the span that is being started. */
  seed: string | undefined;

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.seed === undefined ? this.#random.generateSpanId() : spanIdOf(this.seed);
  }
}

/** Makes spans with the SDK of OpenTelemetry. */
export class SdkTracing implements Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #ids: SeededIds;
  readonly #current = new AsyncLocalStorage<OpenSpan>();

  constructor(provider: BasicTracerProvider, ids: SeededIds) {
    this.#provider = provider;
    this.#ids = ids;
  }

  run<Result>(
    name: string,
    options: SpanOptions,
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    const span = this.#start(name, options);
    return span ? this.#current.run(span, () => endWith(span, work)) : work(unrecorded);
  }

  record(name: string, { startedAt, endedAt, error, ...options }: EndedSpan): void {
    const span = this.#start(name, options, startedAt);
    if (error !== undefined) span?.fail(error);
    // The times come from different clocks.
    span?.end(new Date(Math.max(startedAt.getTime(), endedAt.getTime())));
  }

  current(): TraceContext | undefined {
    return this.#open?.context;
  }

  async flush(): Promise<void> {
    // What could not be sent is reported where it is sent.
    await this.#provider.forceFlush().catch(() => {});
  }

  /** Work that outlives its span, such as a loop that it has woken, is not part of it. */
  get #open(): OpenSpan | undefined {
    const span = this.#current.getStore();
    return span?.hasEnded === false ? span : undefined;
  }

  #start(
    name: string,
    { kind = "internal", attributes = {}, parent, links = [], seed }: SpanOptions,
    startTime?: Date,
  ): OpenSpan | undefined {
    const parentSpan = parent === undefined ? this.#open?.spanContext : parent && parse(parent);
    if (parent === undefined && !parentSpan) return undefined;
    const context = parentSpan ? trace.setSpanContext(ROOT_CONTEXT, parentSpan) : ROOT_CONTEXT;
    const linked = links.map(parse).filter((one) => one !== undefined);
    this.#ids.seed = seed;
    const span = this.#provider.getTracer("mediamill").startSpan(
      name,
      {
        kind: kinds[kind],
        attributes: withoutEmpty(attributes),
        links: linked.map((context) => ({ context })),
        ...(startTime ? { startTime } : {}),
      },
      context,
    );
    this.#ids.seed = undefined;
    return new OpenSpan(span);
  }
}

class OpenSpan implements Span {
  readonly #span: SdkSpan;
  #hasEnded = false;

  constructor(span: SdkSpan) {
    this.#span = span;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get spanContext(): SpanContext {
    return this.#span.spanContext();
  }

  get context(): TraceContext {
    const { traceId, spanId, traceFlags, traceState } = this.spanContext;
    const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
    const tracestate = traceState?.serialize();
    return { traceparent, ...(tracestate ? { tracestate } : {}) };
  }

  setAttributes(attributes: Attributes): void {
    this.#span.setAttributes(withoutEmpty(attributes));
  }

  fail(type: string): void {
    this.#span.setAttribute("error.type", type);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(at?: Date): void {
    this.#hasEnded = true;
    this.#span.end(at);
  }
}

async function endWith<Result>(
  span: OpenSpan,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(span);
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The span of steps outside of any traced work. */
const unrecorded: Span = { context: undefined, setAttributes: () => {}, fail: () => {} };

/** Parses the headers of a trace. Returns undefined for headers that are not valid. */
function parse({ traceparent, tracestate }: TraceContext): SpanContext | undefined {
  const parsed = parseTraceParent(traceparent);
  if (!parsed) return undefined;
  const state = tracestate === undefined ? {} : { traceState: new TraceState(tracestate) };
  return { ...parsed, isRemote: true, ...state };
}

function withoutEmpty(attributes: Attributes): Record<string, string | number | boolean> {
  const entries = Object.entries(attributes).filter(
    (entry): entry is [string, string | number | boolean] => entry[1] != null,
  );
  return Object.fromEntries(entries);
}
