import { createHash, randomBytes } from "node:crypto";
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FileSink } from "#lib/files/file-sink.ts";
import { freeMemory, markTemporary } from "#lib/files/temporary-memory.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-sink-"));
});
afterAll(() => rm(folder, { recursive: true }));

const pathOf = (name: string) => join(folder, name);

function* slices(bytes: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test.each([
  { name: "many small chunks", length: 1 },
  { name: "chunks of a socket", length: 65_521 },
  { name: "one chunk", length: 5_000_000 },
])("$name: the file, its length and its SHA-256 are those of the source", async ({ length }) => {
  const bytes = randomBytes(length === 1 ? 3000 : 5_000_000);
  const path = pathOf(`of-${length}`);
  const sink = new FileSink(path);
  await pipeline(Readable.from(slices(bytes, length)), sink);
  expect((await readFile(path)).equals(bytes)).toBe(true);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(sink.result()).toEqual({ bytes: bytes.length, sha256 });
});

test("a file that is flushed early has every byte", async () => {
  const chunk = randomBytes(1024 ** 2);
  const path = pathOf("flushed");
  const sink = new FileSink(path, { flushEarly: true });
  const count = 150;
  await pipeline(Readable.from(Array.from({ length: count }, () => chunk)), sink);
  const expected = createHash("sha256");
  for (let index = 0; index < count; index++) expected.update(chunk);
  const sha256 = expected.digest("hex");
  expect(sink.result()).toEqual({ bytes: count * chunk.length, sha256 });
  expect(
    createHash("sha256")
      .update(await readFile(path))
      .digest("hex"),
  ).toBe(sha256);
});

test("what `inspect` throws ends the writing, and the chunk is not written", async () => {
  const path = pathOf("inspected");
  const seen: string[] = [];
  const inspect = (chunk: Buffer) => {
    seen.push(chunk.toString());
    if (seen.length === 2) throw new Error("enough");
  };
  const source = Readable.from([Buffer.from("one"), Buffer.from("two"), Buffer.from("three")]);
  await expect(pipeline(source, new FileSink(path, { inspect }))).rejects.toThrow("enough");
  expect(seen).toEqual(["one", "two"]);
  expect(await readFile(path, "utf8")).not.toContain("two");
});

test("an existing file is not overwritten", async () => {
  await writeFile(pathOf("existing"), "kept");
  const source = Readable.from([Buffer.from("other")]);
  await expect(pipeline(source, new FileSink(pathOf("existing")))).rejects.toThrow("EEXIST");
  expect(await readFile(pathOf("existing"), "utf8")).toBe("kept");
});

test("a folder that does not exist is an error of the stream", async () => {
  const path = join(folder, "missing", "file");
  const source = Readable.from([Buffer.from("bytes")]);
  await expect(pipeline(source, new FileSink(path))).rejects.toThrow("ENOENT");
  await expect(access(path)).rejects.toThrow();
});

test("memory that is marked as temporary is freed, and other memory is not", async () => {
  const path = pathOf("temporary");
  const contents = ["marked", "not marked", "a part", "shared"].map((text) =>
    Buffer.from(text.repeat(20_000)),
  );
  const [marked, unmarked, part, shared] = contents.map((bytes) => {
    const copy = Buffer.allocUnsafeSlow(bytes.length);
    bytes.copy(copy);
    return copy;
  }) as [Buffer, Buffer, Buffer, Buffer]; // one for each content
  markTemporary(marked);
  markTemporary(part);
  markTemporary(shared.subarray(1));
  const sink = new FileSink(path);
  const chunks = [marked, unmarked, part.subarray(0, 9), part.subarray(9), shared];
  await pipeline(Readable.from(chunks), sink);
  const all = Buffer.concat(contents);
  expect((await readFile(path)).equals(all)).toBe(true);
  expect(sink.result().sha256).toBe(createHash("sha256").update(all).digest("hex"));
  const lengths = [marked, unmarked, part, shared].map(({ length }) => length);
  expect(lengths).toEqual([0, ...contents.slice(1).map(({ length }) => length)]);
});

test("memory is freed only with the bytes that are all of it", () => {
  const whole = Buffer.allocUnsafeSlow(100);
  const part = Buffer.allocUnsafeSlow(100);
  freeMemory(whole);
  freeMemory(part.subarray(1));
  expect([whole.length, part.length]).toEqual([0, 100]);
});
