import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { FaultProxy } from "#tests/servers/fault-proxy.ts";
import { type S3Server, startS3Server } from "#tests/servers/s3.ts";
import { type Stack, startStack, until } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";

const text = "kept in a bucket";
const host = inject("host").url;
let store: S3Server;
let proxy: FaultProxy;
let endpoint: string;
let stack: Stack;
beforeAll(async () => {
  store = await startS3Server();
  proxy = new FaultProxy(Number(new URL(store.variables.S3_ENDPOINT ?? "").port));
  await proxy.open();
  endpoint = `http://127.0.0.1:${proxy.port}`;
  const FETCH_ALLOW = new URL(host).host;
  stack = await startStack({ ...store.variables, S3_ENDPOINT: endpoint, FETCH_ALLOW });
});
afterAll(async () => {
  const code = await stack?.stop();
  await proxy.close();
  await store.close();
  expect(code).toBe(0);
});

it("stores an input, serves the output, and deletes both", async () => {
  const form = new FormData();
  form.append("file", new File([text], "note.txt", { type: "text/plain" }));
  const job = await run({ body: form });
  expect(await readReport(job)).toMatchObject({ bytes: text.length });
  const part = await call(`/v1/jobs/${job.id}/output`, { headers: { range: "bytes=0-0" } });
  expect([part.status, await part.text()]).toEqual([206, "{"]);
  expect((await call(`/v1/jobs/${job.id}`, { method: "DELETE" })).status).toBe(204);
  expect((await call(`/v1/jobs/${job.id}/output`)).status).toBe(410);
  expect(await store.listFiles()).toEqual([]);
});

it("accepts a file that was uploaded directly to the bucket, once it is complete", async () => {
  const created = await postJson("/v1/uploads", { filename: "note.txt", bytes: text.length });
  const { id, url, method } = await created.json();
  expect(url).toContain(endpoint);
  const input = JSON.stringify({ input: id });
  const early = await call("/v1/pipeline/file-inspect", { method: "POST", body: input, ...json });
  expect(early.status).toBe(400);
  expect((await fetch(url, { method, body: text })).status).toBe(200);
  const job = await run({ body: input, ...json });
  expect(job.input).toMatchObject({ filename: "note.txt", content_type: "text/plain" });
  expect(await readReport(job)).toMatchObject({ bytes: text.length });
});

it("while storage is unavailable uploads are rejected with 503, and accepted jobs wait", async () => {
  const note = () => {
    const form = new FormData();
    form.append("file", new File([text], "note.txt", { type: "text/plain" }));
    return { method: "POST", body: form };
  };
  const { id: storedJob } = await run({ body: note().body });
  await proxy.close();
  const rejected = await call("/v1/pipeline/file-inspect", note());
  expect(rejected.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  await expectError(rejected, "unavailable");
  await expectError(await call(`/v1/jobs/${storedJob}/output`), "unavailable");
  await expectError(await call(`/v1/jobs/${storedJob}`, { method: "DELETE" }), "unavailable");
  // Its input comes from another host and cannot be stored.
  const accepted = await postJson("/v1/pipeline/file-inspect", { input: `${host}/hook/s3/200` });
  expect(accepted.status).toBe(202);
  const { id } = await accepted.json();
  await until(() => stack.output().includes('"kind":"wait"'), 60_000);
  expect(await (await call(`/v1/jobs/${id}`)).json()).toMatchObject({ status: "processing" });
  await proxy.open();
  const job = await (await call(`/v1/jobs/${id}?wait=60`)).json();
  expect(job).toMatchObject({ status: "completed", error: null });
  expect((await call(`/v1/jobs/${storedJob}`, { method: "DELETE" })).status).toBe(204);
});

const json = { headers: { "content-type": "application/json" } };

function call(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("x-api-key", stack.apiKey);
  return fetch(`${stack.url}${path}`, { ...init, headers });
}

function postJson(path: string, body: unknown): Promise<Response> {
  return call(path, { method: "POST", body: JSON.stringify(body), ...json });
}

/** Runs file-inspect, and waits until the job completes. */
async function run(init: RequestInit): Promise<Job> {
  const accepted = await call("/v1/pipeline/file-inspect", { method: "POST", ...init });
  expect(accepted.status).toBe(202);
  const { id } = await accepted.json();
  const job = await (await call(`/v1/jobs/${id}?wait=30`)).json();
  expect(job).toMatchObject({ status: "completed", error: null });
  return job;
}

/** The job's output: the JSON report on the file. */
async function readReport(job: Job): Promise<unknown> {
  return (await call(`/v1/jobs/${job.id}/output`)).json();
}
