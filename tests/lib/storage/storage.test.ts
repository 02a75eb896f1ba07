import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RequestError } from "#lib/errors.ts";
import { FileGoneError, type Storage } from "#lib/storage/port.ts";
import { storageOpeners, type TestStorage } from "#tests/servers/storage/storages.ts";

const content = randomBytes(300_000);
const sha256 = hash(content);
const mebibyte = randomBytes(1024 ** 2);

describe.each(Object.entries(storageOpeners))("%s", (_name, open) => {
  let opened: TestStorage;
  let storage: Storage;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mediamill-files-"));
    opened = await open();
    storage = opened.storage;
    await storage.write("inputs/job_a/file", Readable.from([content]));
  });
  afterAll(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  it("returns length and SHA-256 of a written file, and reads it", async () => {
    const chunks = [content.subarray(0, 7), content.subarray(7)];
    const stored = await storage.write("outputs/job_a/0", Readable.from(chunks));
    expect(stored).toEqual({ bytes: content.length, sha256 });
    expect(await readAll("outputs/job_a/0")).toBe(sha256);
  });

  it.each([
    { start: 0, end: 99 },
    { start: 70_000, end: 200_000 },
    { start: 299_990, end: 299_999 },
  ])("reads the bytes $start to $end, both inclusive", async (range) => {
    const part = await buffer(await storage.read("inputs/job_a/file", range));
    expect(part.equals(content.subarray(range.start, range.end + 1))).toBe(true);
  });

  it("stores bytes that can be made again, also over earlier ones, and reads them at once", async () => {
    await storage.writeCached("image-cache/1/a/file", Buffer.from("before"));
    await storage.writeCached("image-cache/1/a/file", content);
    expect((await storage.readBytes("image-cache/1/a/file")).equals(content)).toBe(true);
    await expect(storage.readBytes("image-cache/1/b/file")).rejects.toThrow(FileGoneError);
  });

  it("stores a local file and restores it", async () => {
    const from = join(folder, "from");
    const to = join(folder, "to");
    await writeFile(from, content);
    await storage.putFile("outputs/job_b/0", from);
    await storage.getFile("outputs/job_b/0", to);
    expect(hash(await readFile(to))).toBe(sha256);
  });

  it("stores bytes that are in memory, also over an earlier file", async () => {
    await storage.write("inputs/job_bytes/file", Readable.from([content, content]));
    const inspected: Buffer[] = [];
    const stored = await storage.write("inputs/job_bytes/file", content, (chunk) =>
      inspected.push(chunk),
    );
    expect(stored).toEqual({ bytes: content.length, sha256 });
    expect(await readAll("inputs/job_bytes/file")).toBe(sha256);
    expect(hash(Buffer.concat(inspected))).toBe(sha256);
  });

  it.each(["stream", "bytes"])("keeps nothing of a %s that `inspect` rejects", async (kind) => {
    const before = await opened.listFiles();
    const source = kind === "bytes" ? content : Readable.from(repeat(20));
    const write = storage.write("inputs/job_rejected/file", source, () => {
      throw new RequestError("too_large", "too large");
    });
    await expect(write).rejects.toThrow(RequestError);
    await expect(storage.read("inputs/job_rejected/file")).rejects.toThrow(FileGoneError);
    expect(await opened.listFiles()).toEqual(before);
  });

  it("writes and reads a large file with constant memory", async () => {
    const count = 96;
    const before = heldMemory();
    const held: number[] = [];
    /** Passes chunks on, and measures after a half, three quarters and nearly all of the file. */
    async function* measure(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      const points = [count / 2, (count * 3) / 4, count - 1];
      let bytes = 0;
      for await (const chunk of chunks) {
        yield chunk;
        bytes += chunk.length;
        if (bytes < (points[0] ?? Infinity) * mebibyte.length) continue;
        points.shift();
        held.push(heldMemory() - before);
      }
    }
    const source = Readable.from(measure(repeat(count)));
    const stored = await storage.write("inputs/job_large/file", source);
    const read = createHash("sha256");
    await pipeline(await storage.read("inputs/job_large/file"), measure, read);
    expect(stored.bytes).toBe(count * mebibyte.length);
    expect(read.digest("hex")).toBe(stored.sha256);
    expect(held).toHaveLength(6);
    expect(Math.max(...held)).toBeLessThan(80 * 1024 ** 2);
  });

  it.each([0, 20])("keeps nothing of a source that fails after %i MiB", async (count) => {
    const before = await opened.listFiles();
    const source = Readable.from(repeat(count, new Error("the client went away")));
    await expect(storage.write("inputs/job_cut/file", source)).rejects.toThrow("went away");
    await expect(storage.read("inputs/job_cut/file")).rejects.toThrow(FileGoneError);
    expect(await opened.listFiles()).toEqual(before);
  });

  it("replaces a file that is written again", async () => {
    await storage.write("outputs/job_c/0", Readable.from([Buffer.from("first attempt")]));
    await storage.write("outputs/job_c/0", Readable.from([content]));
    expect(await readAll("outputs/job_c/0")).toBe(sha256);
  });

  it("copies files that can be removed independently", async () => {
    await storage.write("uploads/one/file", Readable.from([content]));
    await storage.copy("uploads/one/file", "inputs/job_d/file");
    await storage.copy("uploads/one/file", "inputs/job_e/file");
    await storage.removeAll("uploads/one");
    expect(await readAll("inputs/job_d/file")).toBe(sha256);
    await storage.removeAll("inputs/job_d");
    expect(await readAll("inputs/job_e/file")).toBe(sha256);
  });

  it("removes all files under a prefix, and none with a similar prefix", async () => {
    const keys = ["inputs/job_f/file", "inputs/job_f/watermark", "inputs/job_ff/file"];
    for (const key of keys) await storage.write(key, Readable.from([content]));
    await storage.removeAll("inputs/job_f");
    await expect(storage.read("inputs/job_f/file")).rejects.toThrow(FileGoneError);
    await expect(storage.read("inputs/job_f/watermark")).rejects.toThrow(FileGoneError);
    expect(await readAll("inputs/job_ff/file")).toBe(sha256);
    await storage.removeAll("inputs/job_f");
  });

  it.each([
    "..",
    "../secret",
    "inputs/../../secret",
    "/etc/passwd",
    "inputs//file",
    "a/",
    "a b",
    "",
  ])("rejects the key %j", async (key) => {
    const source = () => Readable.from([content]);
    await expect(storage.write(key, source())).rejects.toThrow("invalid storage key");
    await expect(storage.read(key)).rejects.toThrow("invalid storage key");
    await expect(storage.copy("inputs/job_a/file", key)).rejects.toThrow("invalid storage key");
    await expect(storage.removeAll(key)).rejects.toThrow("invalid storage key");
  });

  it("throws FileGoneError for an unknown key", async () => {
    const gone = "inputs/job_unknown/file";
    await expect(storage.read(gone)).rejects.toThrow(FileGoneError);
    await expect(storage.read(gone, { start: 0, end: 9 })).rejects.toThrow(FileGoneError);
    await expect(storage.getFile(gone, join(folder, "gone"))).rejects.toThrow(FileGoneError);
    await expect(storage.copy(gone, "inputs/job_g/file")).rejects.toThrow(FileGoneError);
  });

  it("keeps no file once every prefix is removed", async () => {
    for (const prefix of ["inputs", "outputs", "uploads", "image-cache"])
      await storage.removeAll(prefix);
    expect(await opened.listFiles()).toEqual([]);
  });

  async function readAll(key: string): Promise<string> {
    return hash(await buffer(await storage.read(key)));
  }
});

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Yields `count` MiB, then throws the error, if any. */
async function* repeat(count: number, error?: Error): AsyncGenerator<Buffer> {
  for (let index = 0; index < count; index++) yield mebibyte;
  if (error) throw error;
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** The bytes in use after a garbage collection. */
function heldMemory(): number {
  // Bytes of buffers are freed in the background. The second collection waits for that of the first one.
  collectGarbage();
  collectGarbage();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}
