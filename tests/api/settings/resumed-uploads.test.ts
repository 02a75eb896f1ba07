import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Mediamill } from "#packages/sdk/src/index.ts";
import { onOrigin, startByteCutter } from "#tests/servers/byte-cutter.ts";
import { type S3Server, startS3Server } from "#tests/servers/storage/s3.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import {
  createUpload,
  type Multipart,
  patch,
  readOffset,
  readUpload,
  sha256,
  sha256OfUpload,
  uniqueBytes,
} from "#tests/service/http/uploads.ts";
import { isReady, type Stack, startSmallStack } from "#tests/service/stack.ts";

const megabyte = 1e6;

/** Sends bytes with tus-js-client to an upload that exists, and tries again after every failure. */
function sendByTus(content: Buffer, uploadUrl: string, chunkSize?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(content, {
      uploadUrl,
      // A killed web process is back in seconds; on a busy machine, in half a minute.
      retryDelays: Array(600).fill(100),
      onShouldRetry: () => true,
      onSuccess: () => resolve(),
      onError: reject,
      ...(chunkSize === undefined ? {} : { chunkSize }),
    });
    upload.start();
  });
}

describe.each(["local", "s3"] as const)("with the storage %s", (kind) => {
  let store: S3Server | undefined;
  let stack: Stack;
  let client: ApiClient;
  beforeAll(async () => {
    store = kind === "s3" ? await startS3Server() : undefined;
    stack = await startSmallStack({ ...store?.variables });
    client = new ApiClient(stack.url, stack.apiKey);
    abandoned = await abandonUploads();
  });
  afterAll(async () => {
    await stack?.stop();
    await store?.close();
  });

  /** Two uploads whose time is over. The sweep runs once a minute, so the other tests run meanwhile. */
  let abandoned: Awaited<ReturnType<typeof abandonUploads>>;
  async function abandonUploads() {
    const bytes = 30 * megabyte;
    const sent = await createUpload(client, { bytes, method: "tus" });
    expect((await patch(sent.url, 0, uniqueBytes(10 * megabyte))).status).toBe(204);
    const waiting = await createUpload<Multipart>(client, { bytes, method: "multipart" });
    await withServiceDatabase(async (sql) => {
      const [row] = await sql`select extract(epoch from expires_at - created_at) as seconds
        from uploads where id = ${sent.id}`;
      expect(Number(row?.seconds)).toBeCloseTo(24 * 3600, -1);
      await sql`update uploads set expires_at = now() where id in (${sent.id}, ${waiting.id})`;
    }, stack.dataDir);
    const listFiles = async () => {
      const files = (await store?.listFiles()) ?? [];
      return files.filter((name) => name.includes(sent.id) || name.includes(waiting.id));
    };
    if (store) expect(await listFiles()).not.toEqual([]);
    return { sent, waiting, listFiles };
  }
  const backTimeout = { timeout: 60_000 };
  // The test before may have killed the web process.
  beforeEach(async () => {
    await expect.poll(() => isReady(stack.url), backTimeout).toBe(true);
  }, 70_000);

  const killWeb = () =>
    process.kill(Number(readFileSync(join(stack.dataDir, "run/web.pid"), "utf8")), "SIGKILL");

  /** Sends bytes in parts, each again until it has arrived, and expects them as one file. */
  async function sendInParts(
    content: Buffer<ArrayBuffer>,
    beforePart: (number: number) => Promise<void>,
  ): Promise<void> {
    const bytes = content.length;
    const upload = await createUpload<Multipart>(client, { bytes, method: "multipart" });
    for (const { number, url } of upload.parts) {
      const body = content.subarray((number - 1) * upload.part_bytes, number * upload.part_bytes);
      if (store) expect(url).toContain(store.variables.S3_ENDPOINT);
      if (store) expect((await fetch(url, { method: "PUT", body: "too short" })).status).toBe(403);
      await beforePart(number);
      await expect
        .poll(
          () =>
            fetch(url, { method: "PUT", body }).then(
              ({ ok }) => ok,
              () => false,
            ),
          backTimeout,
        )
        .toBe(true);
    }
    await expect.poll(() => isReady(stack.url), backTimeout).toBe(true);
    expect(await readUpload(client, upload.id)).toMatchObject({ bytes_received: bytes, parts: [] });
    const completed = await fetch(upload.complete_url, { method: "POST" });
    expect([completed.status, await completed.json()]).toMatchObject([200, { status: "complete" }]);
    expect(await sha256OfUpload(client, upload.id)).toBe(sha256(content));
  }

  it("a file arrives byte-identical by tus after ten cuts and a killed web process", async () => {
    const content = uniqueBytes(30 * megabyte);
    const { id, url } = await createUpload(client, { bytes: content.length, method: "tus" });
    const cutter = await startByteCutter(stack.url, {
      cuts: 10,
      afterBytes: 1.7 * megabyte,
      onCut: (cuts) => cuts === 5 && killWeb(),
    });
    await sendByTus(content, onOrigin(url, cutter.url));
    cutter.close();
    expect(cutter.cuts).toBe(10);
    expect(await readUpload(client, id)).toMatchObject({ status: "complete" });
    expect(await sha256OfUpload(client, id)).toBe(sha256(content));
  }, 120_000);

  it("after a killed web process, the offset by tus is that of stored bytes, and parts arrive as one file without a rest", async () => {
    // Both with one kill: the web process takes seconds to start.
    const content = uniqueBytes(30 * megabyte);
    const { id, url } = await createUpload(client, { bytes: content.length, method: "tus" });
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(content.subarray(0, 20 * megabyte)),
    });
    const stalled = patch(url, 0, body).catch(() => undefined);
    await expect
      .poll(async () => (await readUpload(client, id)).bytes_received, backTimeout)
      .toBeGreaterThan(0);
    const inParts = content.subarray(0, 20 * megabyte);
    await sendInParts(inParts, async (number) => {
      if (number !== 2) return;
      killWeb();
      await stalled;
    });
    const offset = await expect
      .poll(() => readOffset(url).catch(() => 0), backTimeout)
      .toBeGreaterThan(0)
      .then(() => readOffset(url));
    expect(offset).toBeLessThanOrEqual(20 * megabyte);
    expect((await patch(url, offset, content.subarray(offset))).status).toBe(204);
    expect(await sha256OfUpload(client, id)).toBe(sha256(content));
  }, 120_000);

  it("many small requests arrive as one file", async () => {
    const content = uniqueBytes(20 * megabyte);
    const { id, url } = await createUpload(client, { bytes: content.length, method: "tus" });
    await sendByTus(content, url, 700_000);
    expect(await sha256OfUpload(client, id)).toBe(sha256(content));
  }, 120_000);

  it("the SDK goes on after cuts, a killed web process and a restart of its own", async () => {
    const content = uniqueBytes(60 * megabyte);
    const cutter = await startByteCutter(stack.url, {
      cuts: 4,
      afterBytes: 4 * megabyte,
      onCut: (cuts) => cuts === 2 && killWeb(),
    });
    const uploadStore = new Map<string, string>();
    const percents: number[] = [];
    const start = (signal?: AbortSignal, stopAt = 200) => {
      const mm = new Mediamill({
        apiKey: stack.apiKey,
        baseUrl: stack.url,
        uploadStore,
        fetch: (url, init) => {
          const { href, origin } = new URL(String(url));
          return fetch(origin === stack.url ? onOrigin(href, cutter.url) : href, init);
        },
      });
      const file = new File([content], "video.bin", { lastModified: 1 });
      return mm.uploads.create(file, {
        ...(signal && { signal }),
        onProgress: ({ percent }) => {
          percents.push(percent);
          if (percent >= stopAt) stopping.abort();
        },
      });
    };
    const stopping = new AbortController();
    await expect(start(stopping.signal, 40)).rejects.toThrow();
    const [begun] = uploadStore.values();
    const { id } = await start();
    cutter.close();
    expect(id).toBe(begun);
    expect(uploadStore.size).toBe(0);
    expect(percents.at(-1)).toBe(100);
    if (!store) expect(cutter.cuts).toBe(4);
    expect(await sha256OfUpload(client, id)).toBe(sha256(content));
  }, 120_000);

  it("abandoned uploads are deleted by the sweep after their time", async () => {
    const { sent, waiting, listFiles } = abandoned;
    const isDeleted = () =>
      withServiceDatabase(async (sql) => {
        const rows = await sql`select from uploads
          where id in (${sent.id}, ${waiting.id}) and files_deleted_at is not null`;
        return rows.length === 2;
      }, stack.dataDir);
    await expect.poll(isDeleted, { timeout: 90_000, interval: 500 }).toBe(true);
    expect(await listFiles()).toEqual([]);
    if (!store) {
      expect(existsSync(join(stack.dataDir, "storage/uploads", sent.id))).toBe(false);
    }
    expect((await readUpload(client, sent.id)).status).toBe("expired");
  }, 120_000);

  it("nothing is left of an upload that was deleted", async () => {
    const before = await store?.listFiles();
    const { url } = await createUpload(client, { bytes: 30 * megabyte, method: "tus" });
    expect((await patch(url, 0, uniqueBytes(10 * megabyte))).status).toBe(204);
    const headers = { "tus-resumable": "1.0.0" };
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(204);
    expect(await store?.listFiles()).toEqual(before);
  });
});
