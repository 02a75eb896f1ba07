import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { Client, createClient } from "#tests/service/http/client.ts";
import {
  createUpload,
  patch,
  readOffset,
  readUpload,
  sha256,
  sha256OfUpload,
  tus,
  uniqueBytes,
} from "#tests/service/http/uploads.ts";
import { expectError } from "#tests/support/expect-error.ts";

const client = new Client();
const create = (bytes: number) => createUpload(client, { bytes, method: "tus" });
const checksum = (bytes: Uint8Array, name = "sha1") =>
  `${name} ${createHash(name).update(bytes).digest("base64")}`;

/** A body that sends `bytes` and then nothing, until `cut` is called. */
function openBody(bytes: Uint8Array) {
  const aborting = new AbortController();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
  });
  return { body, signal: aborting.signal, cut: () => aborting.abort() };
}

async function waitForOffset(id: string, offset: number): Promise<void> {
  while ((await readUpload(client, id)).bytes_received < offset) await wait(50);
}

describe("an upload by tus", () => {
  it("takes bytes in several requests and is the input of a job", async () => {
    const content = uniqueBytes(300_000);
    const { id, url } = await create(content.length);
    expect(await readUpload(client, id)).toMatchObject({ status: "waiting", bytes_received: 0 });
    const first = await patch(url, 0, content.subarray(0, 100_000));
    expect([first.status, first.headers.get("upload-offset")]).toEqual([204, "100000"]);
    expect(await readUpload(client, id)).toMatchObject({ status: "receiving", url });
    const early = await client.postJson("/v1/pipeline/file-inspect", { input: id });
    await expectError(early, "invalid_parameter");
    const last = await patch(url, 100_000, content.subarray(100_000));
    expect([last.status, last.headers.get("upload-offset")]).toEqual([204, "300000"]);
    const state = await readUpload(client, id);
    expect(state).toMatchObject({ status: "complete", bytes_received: 300_000 });
    expect(state.url).toBeUndefined();
    expect(await sha256OfUpload(client, id)).toBe(sha256(content));
  });

  it("keeps what has arrived when the connection breaks", async () => {
    const content = uniqueBytes(200_000);
    const { id, url } = await create(content.length);
    const { body, signal, cut } = openBody(content.subarray(0, 70_000));
    const broken = fetch(url, {
      method: "PATCH",
      headers: { ...tus, "content-type": "application/offset+octet-stream", "upload-offset": "0" },
      body,
      signal,
      duplex: "half",
    } as RequestInit).catch(() => undefined);
    await waitForOffset(id, 70_000);
    cut();
    await broken;
    expect(await readOffset(url)).toBe(70_000);
    expect((await patch(url, 70_000, content.subarray(70_000))).status).toBe(204);
    expect(await sha256OfUpload(client, id)).toBe(sha256(content));
  });

  it("is taken over from a request whose connection says nothing more", async () => {
    const content = uniqueBytes(200_000);
    const { id, url } = await create(content.length);
    const { body } = openBody(content.subarray(0, 50_000));
    const stalled = patch(url, 0, body);
    await waitForOffset(id, 50_000);
    const offset = await readOffset(url);
    expect(offset).toBe(50_000);
    await expectError(await stalled, "locked");
    expect((await patch(url, offset, content.subarray(offset))).status).toBe(204);
    expect(await sha256OfUpload(client, id)).toBe(sha256(content));
  });

  it("has one writer when several send at the same time", async () => {
    const content = uniqueBytes(500_000);
    const { id, url } = await create(content.length);
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => patch(url, 0, new Uint8Array(content))),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => ![204, 409, 423].includes(status))).toEqual([]);
    // On a busy machine, the writer is asked to end before all has arrived, because others wait.
    const offset = await readOffset(url);
    expect(statuses.filter((status) => status === 204)).toHaveLength(
      offset === content.length ? 1 : 0,
    );
    if (offset < content.length) await patch(url, offset, content.subarray(offset));
    expect(await sha256OfUpload(client, id)).toBe(sha256(content));
  });

  it.each(["md5", "sha1", "sha256", "sha384", "sha512"])(
    "checks the %s of a body",
    async (name) => {
      const { url } = await create(4);
      const good = Buffer.from("good");
      const wrong = await patch(url, 0, Buffer.from("evil"), {
        "upload-checksum": checksum(good, name),
      });
      await expectError(wrong, "checksum_mismatch");
      expect(await readOffset(url)).toBe(0);
      const right = await patch(url, 0, good, { "upload-checksum": checksum(good, name) });
      expect(right.status).toBe(204);
      expect(await readOffset(url)).toBe(4);
    },
  );

  it("is gone after its deletion, for every request", async () => {
    const { id, url } = await create(4);
    await patch(url, 0, "ab");
    const deleted = await fetch(url, { method: "DELETE", headers: tus });
    expect(deleted.status).toBe(204);
    await expectError(await patch(url, 2, "cd"), "gone");
    expect((await fetch(url, { method: "HEAD", headers: tus })).status).toBe(410);
    await expectError(await fetch(url, { method: "DELETE", headers: tus }), "gone");
    expect((await readUpload(client, id)).status).toBe("expired");
  });

  it("is gone after it has expired", async () => {
    const { id, url } = await create(4);
    await withServiceDatabase(
      (sql) => sql`update uploads set expires_at = now() - interval '1 second' where id = ${id}`,
    );
    expect((await fetch(url, { method: "HEAD", headers: tus })).status).toBe(410);
    await expectError(await patch(url, 0, "abcd"), "gone");
    expect((await readUpload(client, id)).status).toBe("expired");
  });

  it("ends an upload that expires while its bytes arrive", async () => {
    const { id, url } = await create(100_000);
    const { body } = openBody(uniqueBytes(10_000));
    const stalled = patch(url, 0, body);
    await waitForOffset(id, 10_000);
    await withServiceDatabase((sql) => sql`update uploads set expires_at = now() where id = ${id}`);
    expect((await stalled).status).toBe(423);
    await expectError(await patch(url, 0, "a"), "gone");
  });
});

describe("a request of tus is rejected", () => {
  it("with another offset than the one reached", async () => {
    const { url } = await create(4);
    expect(await expectError(await patch(url, 2, "cd"), "conflict")).toContain("must be 0");
    await patch(url, 0, "ab");
    expect(await expectError(await patch(url, 0, "ab"), "conflict")).toContain("must be 2");
    expect(await readOffset(url)).toBe(2);
  });

  it("with more bytes than the upload declares, with and without a length", async () => {
    const { url } = await create(4);
    await expectError(await patch(url, 0, "abcde"), "too_large");
    expect(await readOffset(url)).toBe(0);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from("abcde"));
        controller.close();
      },
    });
    await expectError(await patch(url, 0, stream), "too_large");
  });

  it.each([
    ["no version", { "tus-resumable": "0.2.2" }, "precondition_failed"],
    ["another type", { "content-type": "text/plain" }, "unsupported_media_type"],
    ["a negative offset", { "upload-offset": "-1" }, "invalid_request"],
    ["an offset that is no number", { "upload-offset": "two" }, "invalid_request"],
    ["an unknown checksum", { "upload-checksum": "crc32 AAAA" }, "invalid_request"],
    ["a checksum without a value", { "upload-checksum": "sha1" }, "invalid_request"],
  ] as const)("with %s", async (_what, headers, code) => {
    const { url } = await create(4);
    await expectError(await patch(url, 0, "abcd", headers), code);
    expect(await readOffset(url)).toBe(0);
  });

  it("with a changed signature, and with that of another upload", async () => {
    const [one, other] = [await create(4), await create(4)];
    await expectError(await patch(`${one.url.slice(0, -1)}x`, 0, "abcd"), "forbidden");
    await expectError(await patch(one.url.replace(one.id, other.id), 0, "abcd"), "forbidden");
  });

  it("if the upload was created for one PUT, and the other way around", async () => {
    const { url } = await createUpload(client, { bytes: 4, method: "put" });
    await expectError(await patch(url, 0, "abcd"), "not_found");
    const resumable = await create(4);
    await expectError(await fetch(resumable.url, { method: "PUT", body: "abcd" }), "conflict");
  });

  it("of a closed account", async () => {
    const other = await createClient();
    const { url } = await createUpload(other, { bytes: 4, method: "tus" });
    await withServiceDatabase(
      (sql) => sql`update accounts set suspended_at = now() where id = ${other.id}`,
    );
    await expectError(await patch(url, 0, "abcd"), "gone");
  });
});

describe("a tus client", () => {
  it("creates an upload by itself with a key", async () => {
    const created = await client.request("/v1/uploads/tus", {
      method: "POST",
      headers: {
        ...tus,
        "upload-length": "4",
        "upload-metadata": `filename ${Buffer.from("note.txt").toString("base64")},is_private`,
      },
    });
    expect(created.status).toBe(201);
    const url = created.headers.get("location") ?? "";
    const id = /upload_\w{24}/.exec(url)?.[0] ?? "";
    expect((await patch(url, 0, "text")).status).toBe(204);
    const { status, ...state } = await readUpload(client, id);
    expect([status, state]).toMatchObject(["complete", { filename: "note.txt", method: "tus" }]);
  });

  it.each([
    ["no length", {}, 400],
    ["length 0", { "upload-length": "0" }, 400],
    ["a length that is no number", { "upload-length": "1e3" }, 400],
    ["another version", { "upload-length": "4", "tus-resumable": "2.0.0" }, 412],
    ["no key", { "upload-length": "4", "x-api-key": "no" }, 401],
  ])("cannot create one with %s", async (_what, headers, status) => {
    const init = { method: "POST", headers: { ...tus, ...headers } as Record<string, string> };
    expect((await client.request("/v1/uploads/tus", init)).status).toBe(status);
  });

  it("reads the features of the service, from any origin", async () => {
    const { url } = await create(4);
    for (const one of [url, `${new URL(url).origin}/v1/uploads/tus`]) {
      const { status, headers } = await fetch(one, { method: "OPTIONS" });
      expect([status, headers.get("tus-version")]).toEqual([204, "1.0.0"]);
      expect(headers.get("tus-extension")).toBe("creation,expiration,checksum,termination");
      expect(headers.get("tus-checksum-algorithm")).toContain("sha1");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-headers")).toContain("Upload-Offset");
    }
    const rejected = await patch(url, 3, "d");
    expect(rejected.headers.get("access-control-allow-origin")).toBe("*");
    const read = await fetch(url, { method: "HEAD", headers: tus });
    expect(read.headers.get("access-control-expose-headers")).toContain("Upload-Offset");
    expect(Date.parse(read.headers.get("upload-expires") ?? "")).toBeGreaterThan(Date.now());
  });
});

describe("a client that can only send POST", () => {
  const post = (url: string, method: string, init: RequestInit = {}) =>
    fetch(url, {
      ...init,
      method: "POST",
      headers: { ...tus, ...init.headers, "X-HTTP-Method-Override": method },
    });

  it("names the method of each request of an upload", async () => {
    const content = uniqueBytes(100_000);
    const { id, url } = await create(content.length);
    const send = (offset: number, body: BodyInit) =>
      post(url, "PATCH", {
        headers: {
          "content-type": "application/offset+octet-stream",
          "upload-offset": String(offset),
        },
        body,
      });
    expect((await send(0, content.subarray(0, 40_000))).status).toBe(204);
    const read = await post(url, "head");
    expect([read.status, read.headers.get("upload-offset")]).toEqual([200, "40000"]);
    expect((await send(40_000, content.subarray(40_000))).status).toBe(204);
    expect(await sha256OfUpload(client, id)).toBe(sha256(content));
    expect((await post(url, "DELETE")).status).toBe(204);
    expect((await post(url, "HEAD")).status).toBe(410);
  });

  it("may do so from a page of another origin", async () => {
    const { url } = await create(4);
    const { headers } = await fetch(url, { method: "OPTIONS" });
    expect(headers.get("access-control-allow-headers")).toContain("X-HTTP-Method-Override");
  });

  it.each(["PUT", "OPTIONS", "EXEC", ""])("cannot name %j", async (method) => {
    const { url } = await create(4);
    await expectError(await post(url, method), "method_not_allowed");
  });

  it("cannot name another method of other endpoints", async () => {
    const { id } = await create(4);
    const headers = { "X-HTTP-Method-Override": "DELETE" };
    const job = await client.request("/v1/jobs/job_0", { method: "POST", headers });
    expect(job.status).toBe(405);
    const put = await createUpload(client, { bytes: 4, method: "put" });
    expect((await post(put.url, "PATCH")).status).toBe(404);
    expect(await readUpload(client, id)).toMatchObject({ status: "waiting" });
  });
});

it("an upload of another account does not exist", async () => {
  const { id } = await create(4);
  const other = await createClient();
  await expectError(await other.request(`/v1/uploads/${id}`), "not_found");
  await expectError(await client.request("/v1/uploads/upload_0"), "not_found");
});
