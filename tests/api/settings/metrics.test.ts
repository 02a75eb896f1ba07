import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { parseMetrics } from "#tests/samples/prometheus.ts";
import { Client } from "#tests/service/http/client.ts";
import { metricsToken } from "#tests/service/service.ts";
import { expectError } from "#tests/support/expect-error.ts";
import { waitUntil } from "#tests/support/processes.ts";

const client = new Client();

const scrape = (token = metricsToken) =>
  fetch(`${inject("service").url}/metrics`, { headers: { authorization: `Bearer ${token}` } });

const readMetrics = async () => parseMetrics(await (await scrape()).text());

it("only the metrics token gives access, not an API key", async () => {
  const anonymous = await fetch(`${inject("service").url}/metrics`);
  expect(anonymous.headers.get("www-authenticate")).toBe("Bearer");
  await expectError(anonymous, "unauthorized");
  for (const token of [client.key, `${metricsToken}x`, metricsToken.slice(1)]) {
    await expectError(await scrape(token), "unauthorized");
  }
  const response = await scrape();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
});

it("the counts of the runners are included: jobs, phases, bytes, failures, webhooks", async () => {
  const before = await readMetrics();
  const webhook = `${inject("host").url}/hook/metrics-${Date.now()}/200`;
  const bytes = "counted text";
  await client.run("pipeline/file-inspect", { bytes, filename: "a.txt" }, { webhook_url: webhook });
  const missing = await client.runUrl("pipeline/file-inspect", `${inject("host").url}/missing`);
  expect(missing).toMatchObject({ status: "failed", error_code: "fetch_failed" });
  const accepted = await client.postJson("/v1/pipeline/file-inspect", {
    input: `${inject("host").url}/drip`,
  });
  const { id } = await accepted.json();
  await client.request(`/v1/jobs/${id}/cancel`, { method: "POST" });
  const inspect = 'operation="pipeline/file-inspect"';
  const atLeast: [sample: string, more: number][] = [
    [`mediamill_jobs_total{${inspect},outcome="completed"}`, 1],
    [`mediamill_jobs_total{${inspect},outcome="failed"}`, 1],
    [`mediamill_jobs_total{${inspect},outcome="cancelled"}`, 1],
    ['mediamill_job_failures_total{code="fetch_failed"}', 1],
    [`mediamill_job_bytes_total{direction="in",${inspect}}`, bytes.length],
    [`mediamill_job_bytes_total{direction="out",${inspect}}`, 100],
    ['mediamill_job_wait_seconds_count{plan="enterprise"}', 2],
    ['mediamill_job_phase_seconds_count{phase="queued"}', 3],
    ['mediamill_job_phase_seconds_count{phase="fetching"}', 1],
    ['mediamill_job_phase_seconds_count{phase="engine"}', 1],
    ['mediamill_job_phase_seconds_count{phase="storing"}', 1],
    ['mediamill_job_phase_seconds_bucket{le="+Inf",phase="engine"}', 1],
    ['mediamill_webhook_attempts_total{outcome="delivered"}', 1],
    ["mediamill_webhook_attempt_seconds_count", 1],
  ];
  const findTooLow = async () => {
    const after = await readMetrics();
    return atLeast.filter(
      ([name, more]) => (after.get(name) ?? 0) - (before.get(name) ?? 0) < more,
    );
  };
  await waitUntil(async () => (await findTooLow()).length === 0, 30_000).catch(() => {});
  expect(await findTooLow()).toEqual([]);
});

it("every queue is included, also if it is empty", async () => {
  const samples = await readMetrics();
  for (const plan of ["free", "pro", "business", "enterprise"]) {
    for (const stage of ["fetch", "run"]) {
      expect(
        samples.get(`mediamill_queue_jobs{plan="${plan}",stage="${stage}"}`),
      ).toBeGreaterThanOrEqual(0);
      expect(samples.has(`mediamill_queue_oldest_seconds{plan="${plan}",stage="${stage}"}`)).toBe(
        true,
      );
    }
  }
  expect(samples.get('mediamill_runners{kind="media"}')).toBe(1);
  expect(samples.get('mediamill_runners{kind="webhooks"}')).toBe(1);
});

it("the dashboard, the alerts and the chart name only metrics that exist", async () => {
  const text = await (await scrape()).text();
  const existing = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => name + end) : name,
    ),
  );
  const root = join(import.meta.dirname, "../../..");
  const files = [
    ...globSync("deploy/{grafana,prometheus}/*", { cwd: root }),
    "deploy/helm/templates/media.yaml",
    "docs/kubernetes.md",
    "docs/self-hosting.md",
  ];
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const named = readFileSync(join(root, file), "utf8").match(/\bmediamill_\w+/g) ?? [];
    expect([file, named.filter((name) => !existing.has(name))]).toEqual([file, []]);
  }
});
