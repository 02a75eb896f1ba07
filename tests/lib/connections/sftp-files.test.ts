import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SftpStore } from "#lib/connections/stores/sftp.ts";
import type { StoredRanges } from "#lib/connections/stores/store.ts";
import { blockBytes, PartialFile } from "#lib/engines/partial/partial-file.ts";
import type { TimeLimits } from "#lib/net/limits/time-limits.ts";
import { temporaryFolder, testNetwork } from "#tests/servers/net.ts";
import { type SftpServer, startSftpServer } from "#tests/servers/storage/sftp-server.ts";
import { smallFile } from "#tests/servers/storage/store-file.ts";

/** Files of a server that is not OpenSSH, for which the library has other rules. */

const content = randomBytes(3_000_000);
const { signal } = new AbortController();
let server: SftpServer;
let store: SftpStore;

function createStore(limits: Partial<TimeLimits> = {}): SftpStore {
  const network = testNetwork([`127.0.0.1:${server.port}`], {}, limits);
  return new SftpStore(server.access, { network, signal });
}

beforeEach(async () => {
  server = await startSftpServer();
  store = createStore();
});
afterEach(async () => {
  await store.close();
  server.close();
});

/** The parts of a file in the order in which the server got them, as where each begins and ends. */
const partsOf = (kind: "read" | "write") =>
  server.parts.filter((part) => part.kind === kind).map(({ start, end }) => [start, end] as const);

function expectInSequence(kind: "read" | "write"): void {
  let at = 0;
  for (const [start, end] of partsOf(kind)) {
    expect([start, end - start <= 32 * 1024]).toEqual([at, true]);
    at = end;
  }
  expect(at).toBe(content.length);
}

it("the parts of a file arrive in their order, when it is stored and when it is received", async () => {
  const open = async () => Readable.from([content]);
  await store.put({ ...smallFile(signal), bytes: content.length, open });
  expect(server.files.get("a.txt")?.equals(content)).toBe(true);
  expectInSequence("write");
  const path = join(temporaryFolder(), "received");
  const request = { path, maxBytes: content.length, signal };
  await store.receive("a.txt", request);
  expect(readFileSync(path).equals(content)).toBe(true);
  expectInSequence("read");
});

async function read(ranges: StoredRanges, start: number, end: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of ranges.read(start, end, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it("ranges that are read one after the other need the file to be opened once", async () => {
  server.files.set("a.bin", content);
  const ranges = await store.openRanges("a.bin");
  for (const [start, end] of [
    [2_900_000, 3_000_000],
    [0, 1],
    [5, 1_000_000],
  ] as const) {
    expect((await read(ranges, start, end)).equals(content.subarray(start, end))).toBe(true);
  }
  expect(server.opened).toBe(1);
  const both = [read(ranges, 0, 500_000), read(ranges, 2_000_000, 3_000_000)];
  expect((await Promise.all(both)).map(({ length }) => length)).toEqual([500_000, 1_000_000]);
  expect(server.opened).toBe(2);
  await read(ranges, 0, 1);
  await read(ranges, 1, 2);
  expect(server.opened).toBe(2);
});

it("a file of a distant server is read in part: each range costs one round trip", async () => {
  const bytes = 40 * blockBytes;
  server.files.set("a.bin", Buffer.alloc(bytes, 1));
  server.delayMs = 150;
  // As jobs read it.
  const allowance = { initialMs: 3000, bytesPerSecond: 2 ** 20 };
  const path = join(temporaryFolder(), "part");
  const file = await PartialFile.create(
    { ...(await store.openRanges("a.bin")), close: () => store.close() },
    { path, allowance },
  );
  for (let block = 0; block < 36; block += 3) await file.readBlock(block * blockBytes, 1);
  expect(file.receivedBytes).toBe(12 * blockBytes);
  await file.close();
});

it("a range is not read from another state of the file, although it is open", async () => {
  server.files.set("a.bin", content);
  const ranges = await store.openRanges("a.bin");
  await read(ranges, 0, 10);
  server.files.set("a.bin", content.subarray(1));
  await expect(read(ranges, 0, 10)).rejects.toThrow("has changed while it was read");
});

it("a server that keeps its connection alive, and responds to nothing else, is given up", async () => {
  server.files.set("a.bin", content);
  const limited = createStore({ chunkMs: 1000 });
  // A busy machine may need longer for the start of a connection.
  await expect.poll(() => limited.openRanges("a.bin").catch(() => undefined)).toBeDefined();
  server.hangs = true;
  await expect(limited.openRanges("a.bin")).rejects.toMatchObject({ isPermanent: false });
  await limited.close();
});

it("a connection whose file service has ended is replaced", async () => {
  server.files.set("a.bin", content);
  await store.openRanges("a.bin");
  server.endServices();
  const list = () => store.openRanges("a.bin").then(({ bytes }) => bytes);
  // The end may arrive after the next request.
  await expect.poll(() => list().catch(() => 0)).toBe(content.length);
  expect(server.sockets).toHaveLength(2);
});
