import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Client } from "#tests/service/http/client.ts";
import {
  createUpload,
  type Multipart,
  putHalf,
  readUpload,
  sha256,
  sha256OfUpload,
  uniqueBytes,
} from "#tests/service/http/uploads.ts";
import { expectError } from "#tests/support/expect-error.ts";

const client = new Client();
const create = (bytes: number) => createUpload<Multipart>(client, { bytes, method: "multipart" });
const put = (url: string, body: BodyInit) => fetch(url, { method: "PUT", body });
const post = (url: string) => fetch(url, { method: "POST" });

describe("an upload in parts", () => {
  it("takes them in any order, several at a time, and is the input of a job", async () => {
    const content = uniqueBytes(20_000_000);
    const upload = await create(content.length);
    expect(upload.parts.map(({ number }) => number)).toEqual([1, 2, 3]);
    const bytesOf = (number: number) =>
      content.subarray((number - 1) * upload.part_bytes, number * upload.part_bytes);
    const send = async ({ number, url }: Multipart["parts"][number]) => {
      expect((await put(url, new Uint8Array(bytesOf(number)))).status).toBe(204);
    };
    const [first, second, third] = upload.parts;
    if (!first || !second || !third) throw new Error("parts are missing");
    await send(third);
    const state = await readUpload(client, upload.id);
    expect(state).toMatchObject({
      status: "receiving",
      bytes_received: bytesOf(3).length,
      part_bytes: upload.part_bytes,
      parts: [{ number: 1 }, { number: 2 }],
    });
    expect(await expectError(await post(upload.complete_url), "conflict")).toContain("1, 2");
    await Promise.all([send(first), send(second), send(first)].map((one) => one.catch(() => {})));
    await send(first);
    const completed = await post(upload.complete_url);
    expect([completed.status, await completed.json()]).toMatchObject([
      200,
      { id: upload.id, status: "complete", bytes_received: content.length },
    ]);
    // Again, as after a lost response.
    expect((await post(upload.complete_url)).status).toBe(200);
    expect((await put(first.url, new Uint8Array(bytesOf(1)))).status).toBe(409);
    expect(await sha256OfUpload(client, upload.id)).toBe(sha256(content));
  });

  it("is gone after it was aborted", async () => {
    const upload = await create(4);
    const [part] = upload.parts;
    expect((await put(part?.url ?? "", "abcd")).status).toBe(204);
    expect((await fetch(upload.abort_url, { method: "DELETE" })).status).toBe(204);
    await expectError(await put(part?.url ?? "", "abcd"), "gone");
    await expectError(await post(upload.complete_url), "gone");
    await expectError(await post(upload.abort_url), "gone");
    expect((await readUpload(client, upload.id)).status).toBe("expired");
  });

  it("has no part of a request that was replaced by another one, however slow it is", async () => {
    const [slow, quick] = [uniqueBytes(300_000), uniqueBytes(300_000)];
    const upload = await create(slow.length);
    const url = upload.parts[0]?.url ?? "";
    const { response, finish } = putHalf(url, slow);
    await wait(500);
    await expectError(await post(upload.complete_url), "conflict");
    expect((await put(url, quick)).status).toBe(204);
    expect((await post(upload.complete_url)).status).toBe(200);
    finish();
    expect([409, 423]).toContain((await response).status);
    await expectError(await put(url, slow), "conflict");
    expect(await sha256OfUpload(client, upload.id)).toBe(sha256(quick));
  });

  it("has one sender of a part when several send at the same time", async () => {
    const contents = Array.from({ length: 4 }, () => uniqueBytes(300_000));
    const upload = await create(300_000);
    const url = upload.parts[0]?.url ?? "";
    const responses = await Promise.all(contents.map((content) => put(url, content)));
    const sent = contents.filter((_, index) => responses[index]?.status === 204);
    expect(sent.length).toBeGreaterThan(0);
    expect((await post(upload.complete_url)).status).toBe(200);
    expect(sent.map(sha256)).toContain(await sha256OfUpload(client, upload.id));
  });

  it("takes no part that was begun before it was aborted", async () => {
    const upload = await create(300_000);
    const { response, finish } = putHalf(upload.parts[0]?.url ?? "", uniqueBytes(300_000));
    await wait(500);
    expect((await fetch(upload.abort_url, { method: "DELETE" })).status).toBe(204);
    finish();
    await expectError(await response, "gone");
    expect((await readUpload(client, upload.id)).status).toBe("expired");
  });

  it.each(["abc", "abcde"])("rejects a part of another size: %s", async (body) => {
    const upload = await create(4);
    const url = upload.parts[0]?.url ?? "";
    expect(await expectError(await put(url, body), "invalid_input")).toContain("4 bytes");
    const stream = new Blob([body]).stream();
    const streamed = await fetch(url, {
      method: "PUT",
      body: stream,
      duplex: "half",
    } as RequestInit);
    await expectError(streamed, "invalid_input");
    await expectError(await post(upload.complete_url), "conflict");
  });

  it("rejects URLs that were changed", async () => {
    const upload = await create(20_000_000);
    const url = upload.parts[0]?.url ?? "";
    await expectError(await put(url.replace("/parts/1", "/parts/2"), "abcd"), "forbidden");
    await expectError(await post(upload.complete_url.replace("complete", "abort")), "forbidden");
    const other = upload.abort_url.replace("abort", "complete");
    await expectError(await post(other), "forbidden");
  });
});

it("an unknown method is rejected", async () => {
  const fields = { filename: "a", bytes: 1, method: "ftp" };
  await expectError(await client.postJson("/v1/uploads", fields), "invalid_parameter");
});
