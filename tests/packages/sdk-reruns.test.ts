import { mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Mediamill } from "#packages/sdk/src/index.ts";

/** Calls of the TypeScript SDK with an idempotency key, made again after their process has died. */

const folder = mkdtempSync(join(tmpdir(), "mediamill-sdk-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface FakeUpload {
  readonly id: string;
  readonly body: string;
  readonly method: "put" | "tus";
  readonly bytes: number;
  status: "waiting" | "complete" | "expired";
}

/** What the service knows of uploads and jobs, by their idempotency keys. */
function startService() {
  const uploads = new Map<string, FakeUpload>();
  const jobs = new Map<string, string>();
  const keys: string[] = [];
  const sent: string[] = [];
  const find = (id = "") => [...uploads.values()].find((one) => one.id === id);
  const stateOf = ({ body: _, ...upload }: FakeUpload) => ({ ...upload, url: urlOf(upload.id) });
  const urlOf = (id: string) => `http://s/uploads/${id}`;
  const reject = (status: number) => Response.json({ error: `status ${status}` }, { status });

  function createUpload(key: string, body: string): Response {
    keys.push(key);
    const earlier = uploads.get(key);
    if (earlier && earlier.body !== body) return reject(422);
    const { bytes, method = "put" } = JSON.parse(body);
    const id = `upload_${uploads.size}`;
    const upload: FakeUpload = earlier ?? { id, body, method, bytes, status: "waiting" };
    uploads.set(key, upload);
    const headers = earlier ? { "idempotency-replayed": "true" } : undefined;
    const put = method === "put" ? { method: "PUT", headers: {} } : {};
    return Response.json(
      { id: upload.id, url: urlOf(upload.id), ...put },
      { status: 201, headers },
    );
  }

  function createJob(key: string, body: string): Response {
    const earlier = jobs.get(key);
    if (earlier !== undefined && earlier !== body) return reject(422);
    const { inputs = [], input, ...parts } = JSON.parse(body);
    const ids: string[] = [input, ...inputs, ...Object.values(parts)].filter(Boolean);
    const isReady = ids.every((id) => find(id)?.status === "complete");
    if (earlier === undefined && !isReady) return reject(400);
    jobs.set(key, body);
    return Response.json({ id: `job_${key}`, status: "completed", outputs: [], warnings: [] });
  }

  function receive(upload: FakeUpload, method: string): Response {
    const isComplete = upload.status === "complete";
    if (upload.status === "expired") return reject(403);
    if (method === "HEAD") {
      const offset = String(isComplete ? upload.bytes : 0);
      return new Response(null, { headers: { "upload-offset": offset } });
    }
    sent.push(`${method} ${upload.id}`);
    if (isComplete) return reject(409);
    upload.status = "complete";
    return new Response(null, {
      status: 204,
      headers: { "upload-offset": String(upload.bytes) },
    });
  }

  const fetchIt = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { method = "GET", headers, body } = init;
    const { pathname } = new URL(url);
    const key = new Headers(headers).get("idempotency-key") ?? "";
    if (pathname === "/v1/account") return Response.json({ uploads: { direct: false } });
    if (pathname === "/v1/uploads") return createUpload(key, String(body));
    const upload = find(pathname.split("/").at(-1));
    if (!upload) return createJob(key, String(body));
    return method === "GET" ? Response.json(stateOf(upload)) : receive(upload, method);
  };
  /** A client of another process. */
  const client = () =>
    new Mediamill({ apiKey: "key", baseUrl: "http://s", fetch: fetchIt as typeof fetch });
  return { client, uploads, jobs, keys, sent };
}

const onProgress = () => {};
const options = { idempotencyKey: "order-1", onProgress };
const small = (text = "content") => ({ file: new Blob([text]), filename: "a.mp4" });

function largeFile(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  truncateSync(path, 50_000_000);
  return path;
}

describe("a call with the same idempotency key", () => {
  it.each([
    ["a small file", small()],
    ["a large file", largeFile("large.mp4")],
  ])("finds the upload and the job of %s", async (_, input) => {
    const service = startService();
    const run = () => service.client().run("pipeline/file-inspect", { input }, options);
    const { id } = await run();
    expect((await run()).id).toBe(id);
    expect(service.uploads.size).toBe(1);
    expect(service.sent).toHaveLength(1);
  });

  it("sends a file that the first call did not send", async () => {
    for (const input of [small(), largeFile("late.mp4")]) {
      const service = startService();
      const run = () => service.client().run("pipeline/file-inspect", { input }, options);
      await run();
      service.jobs.clear();
      for (const upload of service.uploads.values()) upload.status = "waiting";
      await run();
      expect(service.uploads.size).toBe(1);
      expect(service.sent).toEqual([service.sent[0], service.sent[0]]);
    }
  });

  it("has an upload for each of its files, also if they have the same content", async () => {
    const service = startService();
    const inputs = [small(), small()];
    const watermark = { file: new Blob(["content"]), filename: "a.mp4" };
    for (let count = 0; count < 2; count++) {
      await service.client().run("video/concat", { inputs, watermark } as never, options);
    }
    expect(service.uploads.size).toBe(3);
  });

  it("is rejected by the service if the content differs, although its name and size do not", async () => {
    const service = startService();
    const run = (input: string | ReturnType<typeof small>) =>
      service.client().run("pipeline/file-inspect", { input }, options);
    await run(small("content"));
    await expect(run(small("CONTENT"))).rejects.toMatchObject({ status: 422 });
    const path = largeFile("changed.mp4");
    service.jobs.clear();
    await run(path);
    utimesSync(path, 1, 1);
    await expect(run(path)).rejects.toMatchObject({ status: 422 });
  });

  it("creates the job if the upload of the first call has expired, and finds that job again", async () => {
    for (const input of [small(), largeFile("old.mp4")]) {
      const service = startService();
      const run = () => service.client().run("pipeline/file-inspect", { input }, options);
      await run();
      service.jobs.clear();
      for (const upload of service.uploads.values()) upload.status = "expired";
      for (let count = 0; count < 2; count++) await run();
      expect(service.uploads.size).toBe(2);
    }
  });
});

it("calls without a key, or with another one, have uploads of their own", async () => {
  const service = startService();
  const run = (idempotencyKey?: string) =>
    service
      .client()
      .run("pipeline/file-inspect", { input: small() }, { onProgress, idempotencyKey });
  for (const key of [undefined, undefined, "order-1", "order-2", "x".repeat(255)]) await run(key);
  expect(new Set(service.keys).size).toBe(5);
  expect(service.keys.every((key) => key.length <= 100)).toBe(true);
});
