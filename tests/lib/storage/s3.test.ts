import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FileGoneError } from "#lib/storage/port.ts";
import { type S3Server, startS3Server } from "#tests/servers/s3.ts";
import { openS3 } from "#tests/servers/storages.ts";

const soon = () => new Date(Date.now() + 60_000);
let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.stop());

describe("an address to put a file at", () => {
  const key = "uploads/upload_a/file";

  it("takes as many bytes as were announced", async () => {
    const storage = open();
    const { direct } = storage;
    await expect(direct.size(key)).rejects.toThrow(FileGoneError);
    const address = (await direct.address(key, 5, soon())) ?? "";
    expect((await fetch(address, { method: "PUT", body: "hello" })).status).toBe(200);
    expect(await direct.size(key)).toBe(5);
    expect((await buffer(await storage.read(key))).toString()).toBe("hello");
  });

  it.each([
    ["more bytes", (address: string) => address, "PUT", "hello!"],
    ["fewer bytes", (address: string) => address, "PUT", "hell"],
    ["another key", (address: string) => address.replace("upload_a", "upload_b"), "PUT", "hello"],
    ["reading", (address: string) => address, "GET", undefined],
  ])("is not good for %s", async (_what, change, method, body) => {
    const address = (await open().direct.address(key, 5, soon())) ?? "";
    expect((await fetch(change(address), { method, body })).status).toBe(403);
  });

  it("is none where the file is larger than one request may be", async () => {
    expect(await open(100).direct.address(key, 100, soon())).toBeDefined();
    expect(await open(100).direct.address(key, 101, soon())).toBeUndefined();
  });
});

it("copies in parts what is larger than one request may copy", async () => {
  const content = randomBytes(250_000);
  const storage = open(100_000);
  await storage.write("uploads/upload_c/file", Readable.from([content]));
  await storage.copy("uploads/upload_c/file", "inputs/job_c/file");
  expect((await buffer(await storage.read("inputs/job_c/file"))).equals(content)).toBe(true);
});

function open(maxRequestBytes?: number) {
  return openS3(server, maxRequestBytes);
}
