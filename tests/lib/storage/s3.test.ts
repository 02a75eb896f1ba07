import { hash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FileGoneError, FileReplacedError } from "#lib/storage/port.ts";
import { httpServer, temporaryFolder } from "#tests/servers/net.ts";
import { type S3Server, startS3Server } from "#tests/servers/storage/s3.ts";
import { openS3 } from "#tests/servers/storage/storages.ts";

const soon = () => new Date(Date.now() + 60_000);
let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());

describe("a signed URL for uploads", () => {
  const key = "uploads/upload_a/file";

  it("accepts the declared number of bytes", async () => {
    const storage = open();
    const { direct } = storage;
    await expect(direct.find(key)).rejects.toThrow(FileGoneError);
    const url = (await direct.signUrl(key, 5, soon())) ?? "";
    expect((await fetch(url, { method: "PUT", body: "hello" })).status).toBe(200);
    expect(await direct.find(key)).toMatchObject({ bytes: 5 });
    expect((await buffer(await storage.read(key))).toString()).toBe("hello");
  });

  it.each([
    ["more bytes", (url: string) => url, "PUT", "hello!"],
    ["fewer bytes", (url: string) => url, "PUT", "hell"],
    ["another key", (url: string) => url.replace("upload_a", "upload_b"), "PUT", "hello"],
    ["reading", (url: string) => url, "GET", undefined],
  ])("rejects %s", async (_what, change, method, body) => {
    const url = (await open().direct.signUrl(key, 5, soon())) ?? "";
    expect((await fetch(change(url), { method, body })).status).toBe(403);
  });

  it("does not exist for a file that is larger than one request can be", async () => {
    expect(await open(100).direct.signUrl(key, 100, soon())).toBeDefined();
    expect(await open(100).direct.signUrl(key, 101, soon())).toBeUndefined();
  });
});

it("copies in parts an object that is larger than one request can copy", async () => {
  const content = randomBytes(250_000);
  const storage = open(100_000);
  await storage.write("uploads/upload_c/file", Readable.from([content]));
  await storage.copy("uploads/upload_c/file", "inputs/job_c/file");
  expect((await buffer(await storage.read("inputs/job_c/file"))).equals(content)).toBe(true);
});

it.each([
  ["one request", undefined],
  ["parts", 3],
])("reads, gets and copies by %s only the version that is asked for", async (what, maxBytes) => {
  const from = `uploads/upload_${what.length}/file`;
  const to = `inputs/job_${what.length}/file`;
  const path = join(temporaryFolder(), "file");
  const storage = open(maxBytes);
  const write = (text: string) => storage.write(from, Buffer.from(text));
  await write("first");
  const { version } = await storage.direct.find(from);
  await write("other");
  await expect(storage.read(from, { start: 0, end: 1 }, version)).rejects.toThrow(
    FileReplacedError,
  );
  await expect(storage.getFile(from, path, version)).rejects.toThrow(FileReplacedError);
  await expect(storage.copy(from, to, version)).rejects.toThrow(FileReplacedError);
  await expect(storage.readBytes(to)).rejects.toThrow(FileGoneError);
  await write("first");
  await storage.getFile(from, path, version);
  await storage.copy(from, to, version);
  expect((await storage.readBytes(to)).toString()).toBe("first");
});

it.each([0, 1, 2, 3, 5])("lists the %i parts of a file that have arrived", async (count) => {
  const { partial } = open();
  const bytes = 5 * 1024;
  const key = `uploads/upload_parts_${count}/file`;
  const file = { key, bytes: 6 * bytes, partBytes: bytes, storeId: await partial.begin(key) };
  for (let number = 1; number <= count; number++) {
    const url = (await partial.parts?.signUrl(file, number, bytes, soon())) ?? "";
    await fetch(url, { method: "PUT", body: randomBytes(bytes) });
  }
  const expected = Array.from({ length: count }, (_, index) => [index + 1, bytes]);
  expect([...((await partial.parts?.list(file)) ?? [])]).toEqual(expected);
  await partial.discard(file);
});

it("deletes objects of a store that knows only the checksum MD5", async () => {
  const deleted: string[] = [];
  const host = await httpServer(async (request, response) => {
    if (request.method === "GET") return void response.end(listOf("inputs/job_d/file"));
    const body = await buffer(request);
    const hasMd5 = request.headers["content-md5"] === hash("md5", body, "base64");
    const hasOther = Object.keys(request.headers).some((name) => name.includes("checksum"));
    if (!hasMd5 || hasOther) return void response.writeHead(400).end();
    deleted.push(
      ...body
        .toString()
        .matchAll(/<Key>([^<]+)/g)
        .map(([, key = ""]) => key),
    );
    response.end("<DeleteResult/>");
  });
  const variables = { ...server.variables, S3_ENDPOINT: `http://${host}` };
  await openS3({ ...server, variables }).removeAll("inputs/job_d");
  expect(deleted).toEqual(["inputs/job_d/file"]);
});

function listOf(key: string): string {
  return `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>${key}</Key></Contents></ListBucketResult>`;
}

function open(maxRequestBytes?: number) {
  return openS3(server, maxRequestBytes);
}
