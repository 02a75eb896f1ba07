import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder } from "#lib/setup/node24.mjs";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { freePort, startStack, until } from "#tests/service/stack.ts";

/**
 * The traces of a service in the OpenTelemetry Collector itself, which this builds from its Go modules: a job is one
 * trace, and no file name, query of a URL, header or parameter is in it. Needs Go and its module proxy.
 */

const folder = await mkdtemp(join(tmpdir(), "mediamill-opentelemetry-"));
const collector = join(folder, "collector");
const received = join(folder, "traces.json");
const program = join(projectFolder, "tests/soak/opentelemetry");
const built = spawnSync("go", ["build", "-o", collector, "."], { cwd: program, encoding: "utf8" });
if (built.status !== 0) throw new Error(`the collector was not built: ${built.stderr}`);

const endpoint = `127.0.0.1:${await freePort()}`;
const config = {
  receivers: { otlp: { protocols: { http: { endpoint } } } },
  exporters: { file: { path: received, flush_interval: "200ms" } },
  service: {
    telemetry: { metrics: { level: "none" } },
    pipelines: { traces: { receivers: ["otlp"], exporters: ["file"] } },
  },
};
// JSON is YAML.
await writeFile(join(folder, "config.yaml"), JSON.stringify(config));
const running = spawn(collector, ["--config", `file:${join(folder, "config.yaml")}`], {
  stdio: ["ignore", "ignore", "inherit"],
});

/** A text that is in everything that a caller sends. */
const canary = `canary${randomBytes(8).toString("hex")}`;
const traceId = randomBytes(16).toString("hex");
const problems: string[] = [];
const stack = await startStack({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://${endpoint}`,
  OTEL_BSP_SCHEDULE_DELAY: "200",
});
const read = () => (existsSync(received) ? readFileSync(received, "utf8") : "");
const names = [
  "POST /v1/{group}/{operation}",
  "enqueue job",
  "run image/watermark-text",
  "engine image",
  "settle",
];
try {
  const client = new ApiClient(stack.url, stack.apiKey);
  const photo = join(projectFolder, "public/samples/inputs/photo.jpg");
  const fields = {
    file: { bytes: await readFile(photo), filename: `${canary}.jpg` },
    text: canary,
    metadata: JSON.stringify({ order: canary }),
    webhook_url: `https://hooks.invalid/${canary}?token=${canary}`,
  };
  const headers = { traceparent: `00-${traceId}-${"1".repeat(16)}-01` };
  const accepted = await client.postForm("/v1/image/watermark-text", fields, headers);
  const job = await client.finish(accepted);
  if (job.status !== "completed") problems.push(`the job is ${job.status}: ${job.error}`);
  const url = `http://127.0.0.1:1/${canary}.jpg?signature=${canary}`;
  await client.request(`/v1/jobs?metadata[order]=${canary}&filename=${canary}`);
  await client.postJson("/v1/image/convert", { input: url, format: "png" });
  await until(() => names.every((name) => read().includes(JSON.stringify(name))), 60_000);
} finally {
  await stack.stop();
  running.kill("SIGTERM");
}
const text = read();
const spans: { traceId: string; name: string }[] = text
  .split("\n")
  .filter(Boolean)
  .flatMap((line) => JSON.parse(line).resourceSpans)
  .flatMap(({ scopeSpans }) => scopeSpans)
  .flatMap((scope) => scope.spans);
const ofJob = new Set(spans.filter((span) => span.traceId === traceId).map(({ name }) => name));
for (const name of names) if (!ofJob.has(name)) problems.push(`no span ${name} in the trace`);
if (text.includes(canary)) problems.push("a span shows what the caller has sent");
if (text.includes(stack.apiKey)) problems.push("a span shows the API key");
await rm(folder, { recursive: true, force: true });
process.stdout.write(`${spans.length} spans, ${ofJob.size} names in the trace of the job\n`);
process.stdout.write(problems.map((problem) => `${problem}\n`).join(""));
process.exit(problems.length > 0 ? 1 : 0);
