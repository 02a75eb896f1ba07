import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { exportRequest } from "./otlp-schema.ts";

const value = z.union([z.string(), z.number(), z.boolean()]);
const keyValue = z
  .object({
    key: z.string(),
    value: z
      .object({
        stringValue: z.string(),
        boolValue: z.boolean(),
        intValue: z.coerce.number(),
        doubleValue: z.number(),
      })
      .partial(),
  })
  .transform(({ key, value: one }) => [key, value.parse(Object.values(one)[0])] as const);
const attributes = z
  .array(keyValue)
  .default([])
  .transform(Object.fromEntries<z.output<typeof value>>);
const id = z.string().transform((base64) => Buffer.from(base64, "base64").toString("hex"));
const milliseconds = z
  .string()
  .transform((nanoseconds) => Number(BigInt(nanoseconds) / 1000n) / 1000);

const spanSchema = z.object({
  traceId: id,
  spanId: id,
  traceState: z.string().default(""),
  parentSpanId: id.default(""),
  name: z.string(),
  kind: z
    .number()
    .transform((kind) => ["", "internal", "server", "client", "producer", "consumer"][kind]),
  startTimeUnixNano: milliseconds,
  endTimeUnixNano: milliseconds,
  attributes,
  events: z.array(z.object({ name: z.string(), attributes })).default([]),
  links: z.array(z.object({ traceId: id, spanId: id, attributes })).default([]),
  status: z
    .object({ code: z.number().default(0), message: z.string().default("") })
    .default({ code: 0, message: "" }),
});

const requestSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

/** A span as the collector received it. Times in milliseconds since the epoch, ids in hex. */
export type CollectedSpan = z.output<typeof spanSchema> & {
  readonly resource: z.output<typeof attributes>;
};

/** The largest number of spans that are kept: the oldest are dropped. */
const maxSpans = 20_000;

/** A collector of OTLP over HTTP with protobuf. `GET /spans` returns what it has received. */
export class SpanCollector {
  readonly spans: CollectedSpan[] = [];
  /** The headers of the last export. */
  headers: IncomingMessage["headers"] = {};
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(): Promise<SpanCollector> {
    const collector = new SpanCollector();
    collector.#server.listen(0, "127.0.0.1");
    await once(collector.#server, "listening");
    return collector;
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || !address) throw new Error("the collector does not listen");
    return `http://127.0.0.1:${address.port}`;
  }

  /** The environment of a service that sends its spans here, soon after they have ended. */
  get variables(): Record<string, string> {
    return { OTEL_EXPORTER_OTLP_ENDPOINT: this.url, OTEL_BSP_SCHEDULE_DELAY: "100" };
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") {
      response.end(JSON.stringify(this.spans));
      return;
    }
    const body = await buffer(request);
    const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
    this.headers = request.headers;
    this.spans.push(...decodeSpans(bytes));
    this.spans.splice(0, this.spans.length - maxSpans);
    // An empty response message: all spans were accepted.
    response.setHeader("content-type", "application/x-protobuf").end();
  }
}

/** The spans of a message of OTLP. Throws if it is not valid. */
function decodeSpans(bytes: Uint8Array): CollectedSpan[] {
  const message = exportRequest.toObject(exportRequest.decode(bytes), {
    longs: String,
    bytes: String,
  });
  return requestSchema
    .parse(message)
    .resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({ ...span, resource: resource.attributes })),
      ),
    );
}
