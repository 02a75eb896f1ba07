import { expect, inject, it } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { metricsToken } from "#tests/service/service.ts";

interface Catalogue {
  operations: { id: string; parameters: { properties: Record<string, unknown> } }[];
}

interface Document {
  openapi: string;
  info: { version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, object>>;
}

it("GET /v1/operations lists every operation, without an API key", async () => {
  const response = await fetch(`${inject("service").url}/v1/operations`);
  const catalogue = (await response.json()) as Catalogue;
  expect(catalogue.operations.map((one) => one.id)).toEqual(operations.map((one) => one.id));
  const watermark = catalogue.operations.find((one) => one.id === "pipeline/video-watermark");
  expect(Object.keys(watermark?.parameters.properties ?? {})).toContain("watermark_url");
});

it("GET /openapi.json describes every path of the service", async () => {
  const response = await fetch(`${inject("service").url}/openapi.json`);
  const document = (await response.json()) as Document;
  expect([document.openapi, document.info.version]).toEqual(["3.1.0", "1.0.0"]);
  expect(document.tags.map((tag) => tag.name)).toEqual([
    "Document",
    "Image",
    "Video",
    "Audio",
    "Pipeline",
    "Jobs",
    "Connections",
    "Webhooks",
    "Account",
  ]);
  for (const { id } of operations) expect(document.paths[`/v1/${id}`]?.post).toBeDefined();
});

it.each(["/v1/operations", "/openapi.json"])(
  "GET %s is sent only if it is needed",
  async (path) => {
    const url = `${inject("service").url}${path}`;
    const plain = await fetch(url, { headers: { "accept-encoding": "identity" } });
    const compressed = await fetch(url, { headers: { "accept-encoding": "gzip" } });
    const encodings = [plain, compressed].map(({ headers }) => headers.get("content-encoding"));
    expect(encodings).toEqual([null, "gzip"]);
    expect(compressed.headers.get("vary")).toMatch(/accept-encoding/i);
    expect(await compressed.text()).toBe(await plain.text());
    const etag = plain.headers.get("etag") ?? "";
    expect(compressed.headers.get("etag")).toBe(etag);
    const known = await fetch(url, { headers: { "if-none-match": etag } });
    expect([known.status, await known.text()]).toEqual([304, ""]);
  },
);

it("GET /healthz returns 200, and GET /readyz says to everyone only that the service is ready", async () => {
  const { url, apiKey } = inject("service");
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  for (const token of ["", "wrong", apiKey, `${metricsToken}x`]) {
    const response = await fetch(`${url}/readyz`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([response.status, await response.json()]).toEqual([200, { status: "ready" }]);
  }
});

it("GET /readyz reports the engines and the sandbox to the holder of METRICS_TOKEN", async () => {
  const { url } = inject("service");
  const headers = { authorization: `Bearer ${metricsToken}` };
  const readiness = await (await fetch(`${url}/readyz`, { headers })).json();
  expect(readiness).toMatchObject({
    status: "ready",
    database: "ok",
    media_runner: "ok",
    sandbox: "full",
  });
  const engines = (readiness as { engines: Record<string, string> }).engines;
  for (const version of Object.values(engines)) expect(version).toMatch(/^\d/);
});
