import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fastStart } from "#lib/setup/node24.mjs";
import { flushSpans, recordSpan, withSpan } from "#lib/tracing/spans.ts";
import { startTracing } from "#lib/tracing/start.ts";
import { siblingOf, spanIdOf } from "#lib/tracing/trace-context.ts";
import { SpanCollector } from "#tests/servers/otlp.ts";
import { drawTrace } from "#tests/support/traces.ts";

const root = join(import.meta.dirname, "../../..");
const collector = await SpanCollector.start();
afterAll(() => collector.stop());

/** Names of the packages that the modules of a service load, without starting it. */
function loadedPackages(...modules: readonly string[]): string {
  const script = `
    import { registerHooks } from "node:module";
    const found = new Set();
    registerHooks({ load: (url, context, next) => {
      const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(?!.*node_modules)/.exec(url)?.[1];
      if (name) found.add(name);
      return next(url, context);
    } });
    for (const path of ${JSON.stringify(modules)}) await import(path);
    console.log([...found].join(" "));
    process.exit(0);`;
  const args = [...fastStart, "--input-type=module", "--eval", script];
  return execFileSync(process.execPath, args, { cwd: root }).toString();
}

it("without a collector, the SDK of OpenTelemetry is not loaded; with one, it is", () => {
  const service = ["#lib/server/api-listener.ts", "#lib/jobs/runner/media-runner.ts"];
  const packages = loadedPackages(...service);
  expect(packages).toContain("prom-client");
  // prom-client loads the API.
  expect(packages).not.toMatch(/@opentelemetry\/(?!api )/);
  expect(loadedPackages("#lib/tracing/start.ts")).toContain("@opentelemetry/sdk-trace-base");
});

it("before tracing is started, work is done without a span", async () => {
  const work = withSpan("early", { parent: null }, async ({ context }) => context);
  expect(await work).toBeUndefined();
});

it("spans of steps are below the current one, and outside of any there are none", async () => {
  Object.assign(process.env, collector.variables, {
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=secret",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
  });
  const warnings: unknown[] = [];
  const log = { warn: (...warning: readonly unknown[]) => warnings.push(warning) };
  startTracing({ OTEL_SDK_DISABLED: false, MEDIAMILL_SERVICE: "media" }, log);
  await withSpan("outside", {}, async () => {});
  let late: Promise<unknown> | undefined;
  await withSpan("request", { kind: "server", parent: null }, async ({ context }) => {
    await withSpan("step", {}, async () => {});
    await withSpan("failing", {}, () => Promise.reject(new TypeError("secret.pdf"))).catch(
      () => {},
    );
    const parent = context ?? null;
    const at = new Date();
    recordSpan("lost", {
      parent,
      seed: "a lease",
      startedAt: at,
      endedAt: at,
      error: "runner_lost",
    });
    if (parent) expect(siblingOf(parent, "a lease").traceparent).toContain(spanIdOf("a lease"));
    // A loop that the work has woken goes on after it.
    late = new Promise((resolve) => setTimeout(resolve, 50)).then(() =>
      withSpan("later", {}, async () => {}),
    );
  });
  await late;
  await flushSpans();
  expect(drawTrace(collector.spans)).toEqual([
    "server request",
    "  internal step",
    "  internal failing failed",
    "  internal lost failed",
  ]);
  expect(JSON.stringify(collector.spans)).not.toContain("secret.pdf");
  const failing = collector.spans.find(({ name }) => name === "failing");
  expect(failing?.attributes).toEqual({ "error.type": "TypeError" });
  expect(collector.spans.find(({ name }) => name === "lost")?.spanId).toBe(spanIdOf("a lease"));
  expect(collector.headers["x-key"]).toBe("secret");
  expect(failing?.resource).toMatchObject({
    "service.name": "mediamill-media",
    "mediamill.service": "media",
    "deployment.environment": "test",
  });
  expect(warnings).toEqual([]);
});
