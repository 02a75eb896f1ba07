import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, inject, it } from "vitest";
import {
  ConflictError,
  type EndpointEvent,
  InvalidRequestError,
  JobFailedError,
  Mediamill,
  NotFoundError,
  type Progress,
  TimeoutError,
  unwrapWebhook,
  type WebhookEndpointFields,
  WebhookVerificationError,
} from "#packages/sdk/src/index.ts";
import { startCuttingProxy } from "#tests/servers/cutting-proxy.ts";
import { createClient } from "#tests/service/http/client.ts";

/** The TypeScript SDK against the running service. */

const photo = join(import.meta.dirname, "../../../public/samples/inputs/photo.jpg");
const { url: baseUrl } = inject("service");
let account: Awaited<ReturnType<typeof createClient>>;
let mm: Mediamill;

beforeAll(async () => {
  account = await createClient();
  mm = new Mediamill({ apiKey: account.key, baseUrl });
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("run", () => {
  it("takes a path, and saves the output", async () => {
    const job = await mm.run("image/resize", { input: photo, width: 80 });
    expect(job).toMatchObject({ status: "completed", progress: 100, warnings: [] });
    expect(job.output).toMatchObject({ filename: "photo-resize.jpg", contentType: "image/jpeg" });
    expect(job.output.data.width).toBe(80);
    const path = await job.output.save(join(tmpdir(), `sdk-${process.pid}.jpg`));
    expect((await stat(path)).size).toBe(job.output.bytes);
    expect((await job.output.blob()).size).toBe(job.output.bytes);
    await rm(path);
  });

  it.each([
    ["a Blob", async () => new Blob([await readFile(photo)])],
    ["a File", async () => new File([await readFile(photo)], "my photo.jpg")],
    ["bytes", async () => readFile(photo)],
    ["a stream", async () => new Blob([await readFile(photo)]).stream()],
    ["a response", async () => new Response(await readFile(photo))],
    ["bytes with a name", async () => ({ file: await readFile(photo), filename: "photo.jpg" })],
  ])("takes %s", async (_name, make) => {
    const job = await mm.run("image/metadata", { input: await make() });
    expect(job.data.input.content_type).toBe("image/jpeg");
  });

  it("takes a URL, several files, and further files", async () => {
    const { url, folder } = inject("host");
    await writeFile(join(folder, "sdk.jpg"), await readFile(photo));
    const remote = `${url}/sdk.jpg`;
    const animation = await mm.run("image/animated", { inputs: [remote, photo] });
    expect(animation.output.bytes).toBeGreaterThan(1000);
    const marked = await mm.run("image/watermark-image", {
      input: new URL(remote),
      watermark: new Blob([await readFile(photo)]),
      metadata: { order: "7" },
    });
    expect(marked.data.metadata).toEqual({ order: "7" });
  });

  it("takes no file where none is needed", async () => {
    const job = await mm.run("image/qr-code", { text: "https://example.com" });
    expect(job.output.contentType).toBe("image/png");
  });

  it("uploads with progress", async () => {
    const seen: Progress[] = [];
    await mm.run("image/palette", { input: photo }, { onProgress: (one) => seen.push(one) });
    expect(seen[0]?.phase).toBe("upload");
    expect(seen.at(-1)).toEqual({ phase: "processing", percent: 100 });
    const percents = seen.filter(({ phase }) => phase === "upload").map(({ percent }) => percent);
    expect(percents).toEqual([...percents].sort((one, other) => one - other));
  });

  it("uploads a large file as a stream before the job is created, with progress", async () => {
    // Above 32 MiB, a file is not sent in a form.
    const bytes = 40 * 2 ** 20;
    const input = { file: new Blob([new Uint8Array(bytes)]), filename: "zeros.bin" };
    const percents: number[] = [];
    const { result, data } = await mm.run(
      "pipeline/file-inspect",
      { input },
      { onProgress: ({ phase, percent }) => phase === "upload" && percents.push(percent) },
    );
    expect([result.bytes, data.input.filename]).toEqual([bytes, "zeros.bin"]);
    expect(percents.length).toBeGreaterThan(20);
    expect(percents).toEqual([...percents].sort((one, other) => one - other));
    expect(percents.at(-1)).toBe(100);
  });

  it("throws the service's error for a wrong parameter, and the job's error for a bad file", async () => {
    const wrong = mm.run("image/resize", { input: photo, width: -1 });
    await expect(wrong).rejects.toThrow(InvalidRequestError);
    await expect(wrong).rejects.toMatchObject({ status: 400, code: "invalid_parameter" });
    await expect(wrong).rejects.toMatchObject({ requestId: expect.stringMatching(/^req_/) });
    const bad = mm.run("image/resize", { input: "http://127.0.0.1:1/", width: 1 });
    await expect(bad).rejects.toThrow(JobFailedError);
    await expect(bad).rejects.toMatchObject({ code: "address_refused" });
  });

  it("ends when it is aborted, and cancels the job if asked to", async () => {
    const controller = new AbortController();
    const running = mm.run(
      "pipeline/file-inspect",
      { input: `${inject("host").url}/hang/sdk`, metadata: { test: "abort" } },
      { signal: controller.signal, cancelOnAbort: true, onProgress: () => controller.abort() },
    );
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    const [job] = await collect(mm.jobs.list({ metadata: { test: "abort" } }));
    expect(job?.status).toBe("cancelled");
  });

  it("cancels the job of an aborted call that has no progress", async () => {
    const controller = new AbortController();
    const input = `${inject("host").url}/hang/sdk`;
    const followed = Promise.withResolvers<void>();
    const watched: typeof fetch = (url, init) => {
      if (String(url).endsWith("/events")) followed.resolve();
      return fetch(url, init);
    };
    const client = new Mediamill({ apiKey: account.key, baseUrl, fetch: watched });
    const running = client.run(
      "pipeline/file-inspect",
      { input, metadata: { test: "silent" } },
      { signal: controller.signal, cancelOnAbort: true },
    );
    // Before anything else can fail: a rejection that no one awaits ends the whole run.
    const aborted = expect(running).rejects.toMatchObject({ name: "AbortError" });
    const find = async () => (await collect(mm.jobs.list({ metadata: { test: "silent" } })))[0];
    // Once the client follows the job, it has read the answer to the request that created it.
    await followed.promise;
    expect((await find())?.status).toMatch(/pending|processing/);
    controller.abort();
    await aborted;
    expect((await find())?.status).toBe("cancelled");
  });

  it("gives up after the timeout, and says which job goes on", async () => {
    const input = `${inject("host").url}/hang/sdk`;
    const running = mm.run("pipeline/file-inspect", { input }, { timeout: 300 });
    const error = await running.catch((reason) => reason);
    expect(error).toBeInstanceOf(TimeoutError);
    expect((await mm.jobs.cancel(error.jobId)).status).toBe("cancelled");
  });
});

it("runs a chain", async () => {
  const job = await mm.chain(photo).resize({ width: 64 }).convert({ format: "png" }).run();
  expect(job.output).toMatchObject({ contentType: "image/png", data: { width: 64 } });
  const { steps } = mm.chain("clip.mp4").resize({ width: 320 }).add("video/mute", {});
  expect(steps.map(({ type }) => type)).toEqual(["video/resize", "video/mute"]);
});

it("lists, reads, waits for and deletes jobs", async () => {
  const created = await mm.create("image/palette", { input: photo }, {}).withResponse();
  expect(created.response.headers.get("location")).toBe(`/v1/jobs/${created.data.id}`);
  const { id } = await mm.jobs.wait(created.data);
  const listed = await collect(mm.jobs.list({ limit: 2, operation: "image/palette" }));
  expect(listed.map((job) => job.id)).toContain(id);
  await expect(mm.jobs.retry(id)).rejects.toThrow(ConflictError);
  await mm.jobs.delete(id);
  expect((await mm.jobs.get(id)).outputs).toEqual([]);
  await expect(mm.jobs.get(`job_${"0".repeat(24)}`)).rejects.toThrow(NotFoundError);
  expect((await mm.usage()).total_jobs).toBeGreaterThan(0);
  const report = await mm.usageReport({ group_by: "day" });
  expect(report.groups.at(-1)?.completed).toBeGreaterThan(0);
  expect((await mm.operations()).map((one) => one.id)).toContain("image/resize");
});

it("receives the account's events, and resumes", async () => {
  const other = new Mediamill({ apiKey: (await createClient()).key, baseUrl });
  const controller = new AbortController();
  const { signal } = controller;
  const { promise: opened, resolve } = Promise.withResolvers<string>();
  const events = other.events({ signal, types: ["job.completed"], onPosition: resolve });
  const first = events.next();
  const start = await opened;
  const { id } = await other.run("pipeline/file-inspect", { input: photo });
  expect((await first).value).toMatchObject({ type: "job.completed", job: { id } });
  controller.abort();
  const again = other.events({ lastEventId: start });
  const types: string[] = [];
  for await (const { type } of again) {
    if (type !== "job.progress") types.push(type);
    if (types.length === 3) break;
  }
  expect(types).toEqual(["job.created", "job.started", "job.completed"]);
});

it("a connection that is cut before the answer to a create makes one job", async () => {
  const proxy = await startCuttingProxy(baseUrl);
  const cut = new Mediamill({ apiKey: account.key, baseUrl: proxy.url });
  const job = await cut.run("image/palette", { input: photo, metadata: { test: "cut" } });
  proxy.close();
  expect(proxy.cuts).toBe(1);
  const jobs = await collect(mm.jobs.list({ metadata: { test: "cut" } }));
  expect(jobs.map(({ id }) => id)).toEqual([job.id]);
});

it("verifies webhooks, and rejects forged and old ones", async () => {
  const secret = account.webhookSecret;
  const hook = `${inject("host").url}/hook/sdk-${process.pid}/200`;
  await mm.run("image/palette", { input: photo, webhook_url: hook });
  let received: { headers: Record<string, string>; body: string }[] = [];
  await expect
    .poll(async () => {
      received = (await (await fetch(hook)).json()) as typeof received;
      return received.length;
    })
    .toBe(1);
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  const event = await mm.webhooks.unwrap({ headers, body }, secret);
  expect(event).toMatchObject({ type: "job.completed", data: { operation: "image/palette" } });
  const forged = { headers, body: body.replace("completed", "failed") };
  await expect(mm.webhooks.unwrap(forged, secret)).rejects.toThrow(WebhookVerificationError);
  const old = new Date(Date.now() - 3_600_000);
  const signature = new Webhook(secret).sign("whd_1", old, body);
  const stale = {
    "webhook-id": "whd_1",
    "webhook-timestamp": `${Math.floor(old.getTime() / 1000)}`,
    "webhook-signature": signature,
  };
  const request = new Request("http://receiver/", { method: "POST", body, headers: stale });
  await expect(mm.webhooks.unwrap(request, secret)).rejects.toThrow("too old");
});

it("makes, tries, changes and deletes a webhook endpoint", async () => {
  const url = `${inject("host").url}/hook/sdk-endpoint-${process.pid}/200`;
  const events: WebhookEndpointFields["events"] = ["upload.completed", "key.*"];
  const { secret, ...made } = await mm.webhookEndpoints.create({ url, events });
  expect(made).toMatchObject({ url, events, enabled: true, description: "" });
  expect(await mm.webhookEndpoints.list()).toEqual([made]);
  expect(await mm.webhookEndpoints.test(made.id)).toMatchObject({ endpoint: made.id, url });
  let received: { headers: Record<string, string>; body: string }[] = [];
  const read = async () => {
    received = (await (await fetch(url)).json()) as typeof received;
    return received.length;
  };
  await expect.poll(read, { timeout: 20_000 }).toBe(1);
  const [hook = { headers: {}, body: "" }] = received;
  expect(await unwrapWebhook<EndpointEvent>(hook, secret)).toMatchObject({ type: "test" });
  const rotated = await mm.webhookEndpoints.rotateSecret(made.id);
  expect(rotated.secret).not.toBe(secret);
  const changes = { enabled: false, events: ["job.*"] } as const;
  const changed = await mm.webhookEndpoints.update(made.id, { ...changes, events: ["job.*"] });
  expect(changed).toMatchObject(changes);
  expect(await mm.webhookEndpoints.get(made.id)).toEqual(changed);
  await mm.webhookEndpoints.delete(made.id);
  await expect(mm.webhookEndpoints.get(made.id)).rejects.toThrow(NotFoundError);
});
