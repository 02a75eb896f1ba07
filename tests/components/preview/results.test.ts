import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { ZipFile } from "yazl";
import { tableColumns } from "#components/preview/json/json-table.tsx";
import { previewKind } from "#components/preview/preview-file.ts";
import { readZipEntries } from "#components/preview/zip-entries.ts";

async function makeZip(names: readonly string[], comment = ""): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addEmptyDirectory("folder");
  for (const name of names) zip.addBuffer(Buffer.from("x".repeat(name.length * 100)), name);
  zip.end({ comment, forceZip64Format: false });
  // yazl's type is a stream of Node without its iterator.
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}

/** The files of an archive, and how many bytes were read for them. */
async function read(bytes: Uint8Array) {
  let readBytes = 0;
  const entries = await readZipEntries(bytes.length, async (start, end) => {
    readBytes += end - start;
    return bytes.subarray(start, end);
  });
  return { entries: entries?.map(({ name, bytes }) => ({ name, bytes })), readBytes };
}

describe("a ZIP archive", () => {
  it("is listed by the names and sizes of its files, without folders", async () => {
    const names = ["a.txt", "folder/東京 🎬.png", "b/c/d.m3u8"];
    const { entries } = await read(await makeZip(names));
    expect(entries).toEqual(names.map((name) => ({ name, bytes: name.length * 100 })));
  });

  it("may have a comment that looks like an end", async () => {
    const { entries } = await read(await makeZip(["a.txt"], "a comment, PK and more"));
    expect(entries).toEqual([{ name: "a.txt", bytes: 500 }]);
  });

  it("is read only at its end", async () => {
    const large = new ZipFile();
    large.addBuffer(Buffer.alloc(500_000, 1), "large.bin", { compress: false });
    large.end();
    const { entries, readBytes } = await read(
      await buffer(large.outputStream as NodeJS.ReadableStream),
    );
    expect(entries).toEqual([{ name: "large.bin", bytes: 500_000 }]);
    expect(readBytes).toBeLessThan(70_000);
  });

  it("without files has an empty list", async () => {
    expect((await read(await makeZip([]))).entries).toEqual([]);
  });

  it.each([
    ["other bytes", Buffer.from("no archive at all, but long enough")],
    ["nothing", Buffer.alloc(0)],
    [
      "an end that points outside",
      Buffer.concat([Buffer.from("PK\x05\x06"), Buffer.alloc(18, 0xfe)]),
    ],
  ])("is not read from %s", async (_name, bytes) => {
    expect((await read(bytes)).entries).toBeUndefined();
  });
});

it.each([
  ["image/svg+xml", "image"],
  ["image/apng", "image"],
  ["text/vtt", "text"],
  ["application/x-subrip", "text"],
  ["text/x-ssa", "text"],
  ["text/html", "text"],
  ["application/zip", "zip"],
  ["application/octet-stream", "none"],
])("%s is shown as %s", (contentType, kind) => {
  expect(previewKind({ contentType })).toBe(kind);
});

describe("a list in a result", () => {
  it("of objects with plain values is a table with all their columns", () => {
    const colors = [
      { hex: "#ffffff", share: 0.5 },
      { hex: "#000000", share: 0.2, name: null },
    ];
    expect(tableColumns(colors)).toEqual(["hex", "share", "name"]);
  });

  it.each([
    ["of one object", [{ a: 1 }]],
    ["of objects with objects", [{ a: {} }, { a: {} }]],
    ["of numbers", [1, 2]],
    ["of lists", [[1], [2]]],
    ["of empty objects", [{}, {}]],
    [
      "with many columns",
      Array(2).fill(Object.fromEntries([..."abcdefghi"].map((key) => [key, 1]))),
    ],
    ["that is an object", { a: [{ b: 1 }] }],
  ])("%s is no table", (_name, value) => {
    expect(tableColumns(value)).toBeUndefined();
  });
});
