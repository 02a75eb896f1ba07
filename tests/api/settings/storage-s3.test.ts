import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { makeLongVideos } from "#tests/samples/long-video.ts";
import { FaultProxy } from "#tests/servers/fault-proxy.ts";
import { type S3Server, startS3Server } from "#tests/servers/storage/s3.ts";
import { type Stack, startSmallStack, until } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";

const text = "kept in a bucket";
const host = inject("host").url;
let store: S3Server;
let proxy: FaultProxy;
let endpoint: string;
let stack: Stack;
/** A minute of video, with its index at its start and at its end. */
let indexFirst: Buffer<ArrayBuffer>;
let indexLast: Buffer<ArrayBuffer>;
beforeAll(async () => {
  // First, because nothing else runs in this process meanwhile, and the store is a part of it.
  ({ indexFirst, indexLast } = await readLongVideos());
  store = await startS3Server();
  proxy = new FaultProxy(Number(new URL(store.variables.S3_ENDPOINT ?? "").port));
  await proxy.open();
  endpoint = `http://127.0.0.1:${proxy.port}`;
  const FETCH_ALLOW = new URL(host).host;
  // For short intervals of the checks, but a lease that a busy machine does not lose.
  const times = { NODE_OPTIONS: "--conditions=mediamill-test", TEST_LEASE_SECONDS: "20" };
  stack = await startSmallStack({
    ...store.variables,
    S3_ENDPOINT: endpoint,
    FETCH_ALLOW,
    ...times,
  });
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
  const part = await call(`/v1/jobs/${job.id}/output`, { headers: { range: "bytes=0-1" } });
  expect([part.status, await part.text()]).toEqual([206, "{\n"]);
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

it("refuses a file that replaces that of a direct upload after it was complete", async () => {
  const created = await postJson("/v1/uploads", { filename: "note.txt", bytes: text.length });
  const { id, url, method } = await created.json();
  const send = async (body: string) =>
    expect((await fetch(url, { method, body })).status).toBe(200);
  const input = JSON.stringify({ input: id });
  const inspect = () => call("/v1/pipeline/file-inspect", { method: "POST", body: input, ...json });
  await send("A".repeat(text.length));
  await send(text);
  const state = await (await call(`/v1/uploads/${id}`)).json();
  expect(state).toMatchObject({ status: "complete" });
  await send("B".repeat(text.length));
  expect(await expectError(await inspect(), "invalid_input")).toContain("replaced");
  await send(text);
  expect(await readReport(await run({ body: input, ...json }))).toMatchObject({
    bytes: text.length,
  });
  // Between the check of the version and the copy.
  store.beforeCopy = () => send("C".repeat(text.length));
  expect(await expectError(await inspect(), "invalid_input")).toContain("replaced");
  store.beforeCopy = async () => {};
});

it("an operation that needs parts of an input does not read all of it", async () => {
  const form = new FormData();
  form.append("file", new File([indexLast], "long.mp4"));
  store.inputReads.length = 0;
  const job = await run({ body: form });
  const sha256 = createHash("sha256").update(indexLast).digest("hex");
  expect(job.result).toMatchObject({
    bytes: indexLast.length,
    duration: expect.closeTo(60, 0),
    sha256,
  });
  const read = store.inputReads.map((range) => /^bytes=(\d+)-(\d+)$/.exec(range ?? ""));
  const bytes = read.reduce((sum, match) => sum + Number(match?.[2]) + 1 - Number(match?.[1]), 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(indexLast.length / 2);
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
  const readiness = async () => (await fetch(`${stack.url}/readyz`)).json();
  const isMissed = async () => (await readiness()).storage === "unavailable";
  await until(isMissed, 30_000);
  expect(await readiness()).toMatchObject({ status: "unavailable", database: "ok" });
  const redirected = await call(`/v1/jobs/${storedJob}/output`, { redirect: "manual" });
  expect(redirected.status).toBe(302);
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
  await until(async () => (await readiness()).status === "ready", 30_000);
  expect((await call(`/v1/jobs/${storedJob}`, { method: "DELETE" })).status).toBe(204);
});

it("a direct upload whose hash is not known is read as a whole to inspect it", async () => {
  const created = await postJson("/v1/uploads", { filename: "a.mp4", bytes: indexFirst.length });
  const { id, url, method } = await created.json();
  expect((await fetch(url, { method, body: indexFirst })).status).toBe(200);
  const job = await run({ body: JSON.stringify({ input: id }), ...json });
  const sha256 = createHash("sha256").update(indexFirst).digest("hex");
  expect(job.result).toMatchObject({ type: "mp4", sha256 });
});

describe("downloads", () => {
  let job: Job;
  const manual = { redirect: "manual" } as const;
  const paths = () => [`/v1/jobs/${job.id}/output`, `/v1/jobs/${job.id}/outputs/0`];

  beforeAll(async () => {
    const form = new FormData();
    form.append("file", new File([text], "Grüße.txt", { type: "text/plain" }));
    job = await run({ body: form });
  });

  it("redirect to the bucket, which sends the file with its name and type", async () => {
    const signed = job.outputs[0]?.url ?? "";
    for (const ask of [
      ...paths().map((path) => () => call(path, manual)),
      () => fetch(signed, manual),
    ]) {
      const response = await ask();
      expect([response.status, await response.text()]).toEqual([302, ""]);
      expect(response.headers.get("cache-control")).toBe("no-store");
      const target = response.headers.get("location") ?? "";
      expect(target).toContain(endpoint);
      expect(target).not.toContain(stack.apiKey);
      const file = await fetch(target);
      expect(await file.json()).toMatchObject({ bytes: text.length });
      expect(file.headers.get("content-type")).toBe("application/json");
      expect(file.headers.get("content-disposition")).toContain("filename*=UTF-8''Gr%C3%BC%C3%9Fe");
    }
  });

  it("redirect pages of other origins too", async () => {
    const headers = { origin: "https://example.com" };
    const response = await fetch(job.outputs[0]?.url ?? "", { ...manual, headers });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
      302,
      "*",
    ]);
  });

  it("answer HEAD and a client that has the file without the bucket", async () => {
    for (const path of paths()) {
      const head = await call(path, { ...manual, method: "HEAD" });
      expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/json"]);
      const etag = head.headers.get("etag") ?? "";
      const same = await call(path, { ...manual, headers: { "if-none-match": etag } });
      expect(same.status).toBe(304);
    }
  });

  it("are refused before they are redirected", async () => {
    const altered = `${job.outputs[0]?.url}00`;
    await expectError(await fetch(altered, manual), "forbidden");
    await expectError(await call(`/v1/jobs/${job.id}/outputs/1`, manual), "not_found");
    const body = JSON.stringify({ input: "http://127.0.0.1:1/" });
    const accepted = await call("/v1/pipeline/file-inspect", { method: "POST", body, ...json });
    const failed = await (await call(`/v1/jobs/${(await accepted.json()).id}?wait=30`)).json();
    await expectError(await call(`/v1/jobs/${failed.id}/output`, manual), "conflict");
    expect((await call(`/v1/jobs/${job.id}`, { method: "DELETE" })).status).toBe(204);
    for (const path of paths()) await expectError(await call(path, manual), "gone");
    await expectError(await fetch(job.outputs[0]?.url ?? "", manual), "gone");
  });
});

const json = { headers: { "content-type": "application/json" } };

async function readLongVideos() {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-s3-test-"));
  try {
    const paths = makeLongVideos(folder, 60);
    return {
      indexFirst: await readFile(paths.indexFirst),
      indexLast: await readFile(paths.indexLast),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

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
  const accepted = await sendJob(init);
  expect(accepted.status).toBe(202);
  const { id } = await accepted.json();
  const job = await (await call(`/v1/jobs/${id}?wait=30`)).json();
  expect(job).toMatchObject({ status: "completed", error: null });
  return job;
}

/**
 * Sends a job again after a 503, as clients do: the store is a part of this process, and may not respond in time on a busy
 * machine.
 */
async function sendJob(init: RequestInit): Promise<Response> {
  const deadline = Date.now() + 30_000;
  while (true) {
    const response = await call("/v1/pipeline/file-inspect", { method: "POST", ...init });
    if (response.status !== 503 || Date.now() > deadline) return response;
    await wait(1000);
  }
}

/** The job's output: the JSON report on the file. */
async function readReport(job: Job): Promise<unknown> {
  return (await call(`/v1/jobs/${job.id}/output`)).json();
}
