import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { Client } from "#tests/service/http/client.ts";
import {
  createUpload,
  type Multipart,
  putHalf,
  sha256,
  sha256OfUpload,
  uniqueBytes,
} from "#tests/service/http/uploads.ts";
import { expectError } from "#tests/support/expect-error.ts";

const client = new Client();
const origin = "https://app.example.com";
const put = (url: string, body: string) => fetch(url, { method: "PUT", body, headers: { origin } });

const corsOf = ({ status, headers }: Response) => [
  status,
  headers.get("access-control-allow-origin"),
];

it("pages of any origin can send the file of an upload by one PUT, and read why it was rejected", async () => {
  const { url } = await createUpload(client, { bytes: 4, method: "put" });
  const preflight = await fetch(url, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "PUT",
      "access-control-request-headers": "content-type",
    },
  });
  expect(corsOf(preflight)).toEqual([204, "*"]);
  expect(preflight.headers.get("access-control-allow-methods")?.split(", ")).toContain("PUT");
  expect(preflight.headers.get("access-control-allow-headers")?.split(", ")).toContain(
    "Content-Type",
  );
  expect(corsOf(await put(url, "too long"))).toEqual([400, "*"]);
  expect(corsOf(await put(`${url.slice(0, -1)}x`, "abcd"))).toEqual([403, "*"]);
  const sent = await put(url, "abcd");
  expect(corsOf(sent)).toEqual([204, "*"]);
  expect(sent.headers.get("access-control-expose-headers")).toContain("X-Request-Id");
  expect(corsOf(await put(url, "abcd"))).toEqual([409, "*"]);
});

it("and read why the URL of a part is rejected", async () => {
  const upload = await createUpload<Multipart>(client, { bytes: 4, method: "multipart" });
  const [part] = upload.parts;
  expect(corsOf(await put(`${part?.url.slice(0, -1)}x`, "abcd"))).toEqual([403, "*"]);
  const forged = `${upload.complete_url.slice(0, -1)}x`;
  expect(corsOf(await fetch(forged, { method: "POST", headers: { origin } }))).toEqual([403, "*"]);
});

it("the file of an upload is that of the PUT that is complete first, not of one that began before it", async () => {
  const { id, url } = await createUpload(client, { bytes: 300_000, method: "put" });
  const [slow, quick] = [uniqueBytes(300_000), uniqueBytes(300_000)];
  const { response, finish } = putHalf(url, slow);
  await wait(500);
  expect((await fetch(url, { method: "PUT", body: quick })).status).toBe(204);
  finish();
  expect(await expectError(await response, "conflict")).toContain("already received");
  expect(await sha256OfUpload(client, id)).toBe(sha256(quick));
  expect(await listStored(id)).toHaveLength(1);
});

it("and one of those that are complete at the same time", async () => {
  const contents = Array.from({ length: 4 }, () => uniqueBytes(300_000));
  const { id, url } = await createUpload(client, { bytes: 300_000, method: "put" });
  const sent = contents.map((content) => putHalf(url, content));
  await wait(500);
  for (const { finish } of sent) finish();
  const responses = await Promise.all(sent.map(({ response }) => response));
  const statuses = responses.map(({ status }) => status);
  expect([...statuses].sort()).toEqual([204, 409, 409, 409]);
  const first = contents[statuses.indexOf(204)] ?? Buffer.alloc(0);
  expect(await sha256OfUpload(client, id)).toBe(sha256(first));
  expect(await listStored(id)).toHaveLength(1);
});

it("a PUT that ends after the time of its upload says so, also once the sweep has been there", async () => {
  const { id, url } = await createUpload(client, { bytes: 300_000, method: "put" });
  const { response, finish } = putHalf(url, uniqueBytes(300_000));
  await expect.poll(() => listStored(id).catch(() => [])).toHaveLength(1);
  await withServiceDatabase((sql) => sql`update uploads set expires_at = now() where id = ${id}`);
  await rm(folderOf(id), { recursive: true });
  finish();
  expect(await expectError(await response, "forbidden")).toContain("has expired");
});

describe("an Idempotency-Key", () => {
  const key = () => ({ "idempotency-key": crypto.randomUUID() });
  const create = (fields: object, headers: Record<string, string>) =>
    client.postJson("/v1/uploads", { filename: "a.txt", bytes: 4, ...fields }, headers);

  it.each(["put", "tus", "multipart"])("creates one upload of the method %s", async (method) => {
    const headers = key();
    const first = await create({ method }, headers);
    const again = await create({ method }, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    const replayed = [first, again].map((one) => one.headers.get("idempotency-replayed"));
    expect(replayed).toEqual([null, "true"]);
    expect(await again.json()).toEqual(await first.json());
  });

  it("creates one upload for concurrent requests", async () => {
    const headers = key();
    const sent = await Promise.all(Array.from({ length: 20 }, () => create({}, headers)));
    const created = sent.filter(({ status }) => status === 201);
    const ids = await Promise.all(created.map(async (one) => (await one.json()).id));
    expect(new Set(ids).size).toBe(1);
    expect(sent.every(({ status }) => status === 201 || status === 409)).toBe(true);
  });

  it("is of one request: of this file, and of no job", async () => {
    const headers = key();
    const { id } = await (await create({}, headers)).json();
    await expectError(await create({ bytes: 5 }, headers), "idempotency_conflict");
    const job = client.postJson("/v1/pipeline/file-inspect", { input: id }, headers);
    await expectError(await job, "idempotency_conflict");
  });
});

function folderOf(id: string): string {
  return join(inject("service").dataDir, "storage", "uploads", id);
}

/** The files that the service has stored of an upload. */
async function listStored(id: string): Promise<string[]> {
  const entries = await readdir(folderOf(id), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
