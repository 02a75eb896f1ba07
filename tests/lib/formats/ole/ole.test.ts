import { expect, it } from "vitest";
import { readOleHeader, readRootNames, readRootStreams } from "#lib/formats/ole/ole.ts";
import type { ByteSource } from "#lib/media/byte-source.ts";
import { makeOleFile } from "#tests/samples/office/ole-file.ts";
import { makeSparseOleFile } from "#tests/samples/office/sparse-ole-file.ts";

/** A source that counts the bytes that are read. */
function sourceOf(bytes: Buffer, readableBytes = bytes.length) {
  const readable = bytes.subarray(0, readableBytes);
  let bytesRead = 0;
  const source: ByteSource = {
    head: readable.subarray(0, 1024),
    size: bytes.length,
    path: undefined,
    read: async (offset, length) => {
      const found = readable.subarray(offset, offset + length);
      bytesRead += found.length;
      return found;
    },
  };
  return { source, countBytesRead: () => bytesRead };
}

it("lists the streams of the root with the offsets of their content", async () => {
  const file = makeOleFile({ WordDocument: Buffer.from("main"), "1Table": Buffer.from("table") });
  const streams = (await readRootStreams(sourceOf(file).source)) ?? [];
  const contents = streams.map(({ name, offset }) => [
    name,
    file.toString("latin1", offset, offset + 4),
  ]);
  expect(Object.fromEntries(contents)).toEqual({ WordDocument: "main", "1Table": "tabl" });
});

it("does not list the streams of other storages", async () => {
  const file = makeOleFile({ "ObjectPool/WordDocument": Buffer.alloc(1) });
  expect(await readRootNames(sourceOf(file).source)).toEqual(["ObjectPool"]);
});

it("lists as much of a directory as can be read", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `Stream ${index}`);
  const file = makeSparseOleFile(names);
  const header = readOleHeader(file);
  const directory = 512 * ((header?.directoryStart ?? 0) + 1);
  expect(await readRootNames(sourceOf(file).source)).toEqual(names);
  // The root and seven streams are in the first two sectors of four entries.
  expect(await readRootNames(sourceOf(file, directory + 1024).source)).toEqual(names.slice(0, 7));
});

it("reads at most 256 sectors of a directory whose chain is cyclic", async () => {
  const file = makeSparseOleFile(["WordDocument"]);
  const { directoryStart = 0, tables: [table = 0] = [] } = readOleHeader(file) ?? {};
  file.writeUInt32LE(directoryStart, 512 * (table + 1) + 4 * directoryStart);
  const { source, countBytesRead } = sourceOf(file);
  expect(await readRootNames(source)).toEqual(["WordDocument"]);
  expect(countBytesRead()).toBe(256 * (512 + 4));
});

it.each([
  ["a header that is cut off", makeSparseOleFile(["A"]).subarray(0, 511)],
  ["another signature", Buffer.alloc(1024)],
])("rejects %s", async (_, bytes) => {
  expect(readOleHeader(bytes)).toBeUndefined();
  expect(await readRootStreams(sourceOf(bytes).source)).toBeUndefined();
});
