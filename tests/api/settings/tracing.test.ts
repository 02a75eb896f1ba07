import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, inject, it } from "vitest";
import { makeTestImage } from "#tests/samples/images/images.ts";
import type { CollectedSpan } from "#tests/servers/otlp.ts";
import type { ReceivedWebhook } from "#tests/servers/webhook-receiver.ts";
import { type Client, createClient } from "#tests/service/http/client.ts";
import { metricsToken } from "#tests/service/service.ts";
import { drawTrace, waitForSpans } from "#tests/support/traces.ts";

let client: Client;
let image: Buffer;
beforeAll(async () => {
  client = await createClient();
  image = await makeTestImage().jpeg().toBuffer();
});

/** A text in every file name, parameter, header and URL below, which no span may show. */
const canary = `canary${randomBytes(8).toString("hex")}`;
const upload = () => ({ bytes: image, filename: `${canary}.jpg` });

const readSpans = async () =>
  (await (await fetch(inject("service").spansUrl)).json()) as CollectedSpan[];

/** The caller's trace, and the header that names it. */
function startCallerTrace() {
  const traceId = randomBytes(16).toString("hex");
  const spanId = randomBytes(8).toString("hex");
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

let hooks = 0;
const receiver = (statuses: string) =>
  `${inject("host").url}/hook/trace-${process.pid}-${++hooks}/${statuses}`;

const attempt = (operation: string, work: readonly string[]) => [
  "    internal wait in queue",
  `    consumer run ${operation}`,
  "      internal gather",
  "      internal wait for engine",
  "      internal engine",
  ...work.map((line) => `        ${line}`),
  "      internal store",
  "      internal settle",
];

it("one trace leads from the caller over the request, the queue and the engine to the webhook, which continues it", async () => {
  const caller = startCallerTrace();
  const webhook = receiver("500-200");
  const headers = { traceparent: caller.traceparent, tracestate: "vendor=1" };
  const fields = {
    file: upload(),
    text: canary,
    webhook_url: `${webhook}?token=${canary}`,
    metadata: JSON.stringify({ order: canary }),
  };
  const accepted = await client.postForm("/v1/image/watermark-text", fields, headers);
  const job = await client.finish(accepted);
  expect(job).toMatchObject({ status: "completed" });
  const trace = await waitForSpans(readSpans, job.id, "deliver webhook", 2);
  expect(drawTrace(trace)).toEqual([
    "server POST /v1/{group}/{operation}",
    "  producer enqueue job",
    ...attempt("image/watermark-text", ["internal engine image"]),
    "        client deliver webhook failed",
    "        client deliver webhook",
  ]);
  expect(new Set(trace.map(({ traceId }) => traceId))).toEqual(new Set([caller.traceId]));
  expect(new Set(trace.map(({ traceState }) => traceState))).toEqual(new Set(["vendor=1"]));
  const [request, ...others] = trace.toSorted(
    (one, other) => one.startTimeUnixNano - other.startTimeUnixNano,
  );
  expect(request).toMatchObject({
    parentSpanId: caller.spanId,
    attributes: {
      "http.request.method": "POST",
      "http.route": "/v1/{group}/{operation}",
      "http.response.status_code": 202,
      "mediamill.request_id": accepted.headers.get("x-request-id"),
      "mediamill.job_id": job.id,
      "mediamill.account_id": expect.stringMatching(/^acc_/),
    },
    resource: { "service.name": "mediamill-web" },
  });
  const engine = others.find(({ name }) => name === "engine image");
  expect(engine?.attributes).toMatchObject({
    "mediamill.engine": "image",
    "mediamill.engine.exit": "success",
    "mediamill.engine.warm": true,
  });
  expect(engine?.resource).toMatchObject({ "service.name": "mediamill-media" });
  const deliveries = trace.filter(({ name }) => name === "deliver webhook");
  expect(
    deliveries.map(({ attributes }) => [
      attributes["mediamill.attempt"],
      attributes["http.response.status_code"],
      attributes["mediamill.outcome"],
    ]),
  ).toEqual([
    [1, 500, "refused"],
    [2, 200, "delivered"],
  ]);
  const received = (await (await fetch(webhook)).json()) as ReceivedWebhook[];
  expect(
    received.map(({ headers: { traceparent, tracestate } }) => [traceparent, tracestate]),
  ).toEqual(deliveries.map(({ spanId }) => [`00-${caller.traceId}-${spanId}-01`, "vendor=1"]));
});

it("a file at a URL is fetched in an attempt of its own", async () => {
  await writeFile(join(inject("host").folder, `${canary}.jpg`), image);
  const url = `${inject("host").url}/${canary}.jpg?signature=${canary}`;
  const job = await client.runUrl("image/convert", url, { format: "png" });
  expect(job).toMatchObject({ status: "completed" });
  const drawn = drawTrace(await waitForSpans(readSpans, job.id, "run image/convert"));
  expect(drawn).toEqual([
    "server POST /v1/{group}/{operation}",
    "  producer enqueue job",
    "    internal wait in queue",
    "    consumer fetch image/convert",
    "      internal settle",
    ...attempt("image/convert", ["internal engine image"]),
  ]);
});

it("a chain shows its steps, and a repeated request with the same Idempotency-Key no second job", async () => {
  const operations = [
    { type: "image/resize", params: { width: 80 } },
    { type: "image/convert", params: { format: "png" } },
  ];
  const send = () =>
    client.postForm(
      "/v1/jobs",
      { file: upload(), operations: JSON.stringify(operations) },
      { "idempotency-key": canary },
    );
  const job = await client.finish(await send());
  expect(job).toMatchObject({ status: "completed" });
  const again = await send();
  expect(await again.json()).toMatchObject({ id: job.id });
  const drawn = drawTrace(await waitForSpans(readSpans, job.id, "run chain"));
  expect(drawn).toEqual([
    "server POST /v1/jobs",
    "  producer enqueue job",
    ...attempt("chain", [
      "internal step image/resize",
      "  internal engine image",
      "internal step image/convert",
      "  internal engine image",
    ]),
  ]);
  const requests = async () =>
    (await readSpans()).filter(
      ({ name, attributes }) =>
        name === "POST /v1/jobs" && attributes["mediamill.job_id"] === job.id,
    );
  await expect.poll(async () => (await requests()).length).toBe(2);
  const accepted = (await readSpans()).filter(
    ({ name, attributes }) => name === "enqueue job" && attributes["mediamill.job_id"] === job.id,
  );
  expect(accepted).toHaveLength(1);
});

it("a job that fails shows why by its code, and an invalid traceparent starts a trace", async () => {
  const file = { bytes: `not an image ${canary}`, filename: `${canary}.jpg` };
  const response = await client.postForm(
    "/v1/pipeline/file-inspect",
    { file },
    { traceparent: `00-${canary}` },
  );
  await client.finish(response);
  const missing = await client.runUrl("image/convert", `${inject("host").url}/${canary}/none`, {
    format: "png",
  });
  const trace = await waitForSpans(readSpans, missing.id, "fetch image/convert");
  const fetched = trace.find(({ name }) => name === "fetch image/convert");
  expect(fetched).toMatchObject({
    status: { code: 2, message: "" },
    attributes: { "error.type": "fetch_failed", "mediamill.outcome": "fail" },
  });
});

it("no span shows a file name, a parameter, a header, a query or an address", async () => {
  const spans = await readSpans();
  const text = JSON.stringify(spans);
  expect(spans.length).toBeGreaterThan(30);
  expect(text).not.toContain(canary);
  expect(text).not.toContain(client.key);
  expect(text).not.toMatch(/https?:\/\//);
  // Those of other tests too: attributes have these names only.
  const names = new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)));
  const unknown = [...names].filter(
    (name) =>
      !/^(http\.(route|request\.method|response\.status_code)|error\.type|mediamill\.[a-z_.]+)$/.test(
        name,
      ),
  );
  expect(unknown).toEqual([]);
});

it("the metrics have exemplars for clients that accept OpenMetrics, and only for them", async () => {
  const read = (accept: string) =>
    fetch(`${inject("service").url}/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}`, accept },
    });
  await client.run("pipeline/file-inspect", { bytes: "hello", filename: "a.txt" });
  const scrape = async () =>
    (await read("application/openmetrics-text;version=1.0.0,text/plain;q=0.5")).text();
  const exemplars = [
    /^mediamill_job_seconds_bucket\{le="[\d.]+",outcome="completed"\} \d+ # \{trace_id="[0-9a-f]{32}",span_id="[0-9a-f]{16}"\} [\d.]+ [\d.]+$/m,
    /^mediamill_request_seconds_bucket\{.*route="\/v1\/\{group\}\/\{operation\}".*\} \d+ # \{trace_id="/m,
  ];
  await expect.poll(scrape, { timeout: 30_000, interval: 500 }).toMatch(exemplars[0] ?? "");
  const text = await scrape();
  expect(text).toMatch(exemplars[1] ?? "");
  expect(text).toMatch(/\n# EOF\n$/);
  expect(text.match(/# EOF/g)).toHaveLength(1);
  expect(text).toMatch(/^# TYPE mediamill_jobs counter$/m);
  expect(text).toMatch(/^mediamill_jobs_total\{/m);
  const plain = await read("text/plain, application/openmetrics-text;q=0");
  expect(plain.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await plain.text()).not.toMatch(/trace_id|# EOF/);
});
