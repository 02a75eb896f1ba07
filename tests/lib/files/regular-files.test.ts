import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  appendToRegular,
  copyToNew,
  createNew,
  openRegular,
  overwriteRegular,
  readRegular,
  readReport,
  replaceWithNew,
  statRegular,
  streamRegular,
  streamToEnd,
  streamToNew,
  writeNew,
} from "#lib/files/regular-files.ts";

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mediamill-files-"));
  writeFileSync(at("outside"), "outside");
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** What an engine may leave at a path where a file is expected. */
const entries: Record<string, (path: string) => unknown> = {
  "a link": (path) => symlinkSync(at("outside"), path),
  "a link to nothing": (path) => symlinkSync(at("created"), path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a folder": (path) => mkdirSync(path),
  "a socket": async (path) => {
    const server = createServer().listen(path);
    await once(server, "listening");
    onTestFinished(() => void server.close());
  },
};

/** Each function on a path where something else than a file is. */
const uses: Record<string, (path: string) => unknown> = {
  openRegular: (path) => openRegular(path),
  "openRegular to change": (path) => openRegular(path, "r+"),
  statRegular: (path) => statRegular(path),
  readRegular: (path) => readRegular(path),
  readReport: (path) => readReport(path),
  streamRegular: (path) => finished(streamRegular(path).resume()),
  createNew: (path) => createNew(path),
  writeNew: (path) => writeNew(path, "written"),
  streamToNew: (path) => finished(streamToNew(path).end("written")),
  streamToEnd: (path) => finished(streamToEnd(path).end("written")),
  appendToRegular: (path) => appendToRegular(path, "written"),
  overwriteRegular: (path) => overwriteRegular(path, Buffer.from("written")),
  "copyToNew from it": (path) => copyToNew(path, at("copy")),
  "copyToNew to it": (path) => copyToNew(at("outside"), path),
};

describe.each(Object.entries(entries))("%s", (_, create) => {
  it.each(Object.entries(uses))("is refused at once by %s", async (_name, use) => {
    await create(at("entry"));
    await expect((async () => use(at("entry")))()).rejects.toThrow();
    expect(readFileSync(at("outside"), "utf8")).toBe("outside");
    expect(() => readFileSync(at("created"))).toThrow();
  });
});

it("a link is replaced, not followed, by replaceWithNew", async () => {
  symlinkSync(at("outside"), at("entry"));
  const file = await replaceWithNew(at("entry"));
  await file.writeFile("new");
  await file.close();
  expect(readFileSync(at("outside"), "utf8")).toBe("outside");
  expect(readFileSync(at("entry"), "utf8")).toBe("new");
});

it("regular files are written, changed, read and copied", async () => {
  await writeNew(at("file"), "one");
  await finished(streamToEnd(at("file")).end(" two"));
  await appendToRegular(at("file"), " three");
  await copyToNew(at("file"), at("copy"));
  await overwriteRegular(at("file"), Buffer.from("4"));
  expect(await readRegular(at("copy"), "utf8")).toBe("one two three");
  expect(await readRegular(at("file"))).toEqual(Buffer.from("4"));
  expect((await statRegular(at("file"))).size).toBe(1);
  const chunks = await streamRegular(at("copy"), { start: 4, end: 6 }).toArray();
  expect(Buffer.concat(chunks).toString()).toBe("two");
});

it.each([
  ["a small file", 7, 8],
  ["a large file", 200_000, 2 ** 16],
])("%s is streamed with buffers of its size, or smaller ones", async (_, bytes, buffer) => {
  writeFileSync(at("file"), Buffer.alloc(bytes, "a"));
  const stream = streamRegular(at("file"));
  expect(stream.readableHighWaterMark).toBe(buffer);
  expect(Buffer.concat(await stream.toArray())).toHaveLength(bytes);
});

it("a file that grows while it is streamed is read to its end", async () => {
  const stream = streamRegular(at("outside"));
  writeFileSync(at("outside"), "outside and more");
  expect(String(Buffer.concat(await stream.toArray()))).toBe("outside and more");
});

it("what an engine wrote for the service is read up to 64 MiB", async () => {
  writeFileSync(at("report"), "report");
  expect(await readReport(at("report"), "utf8")).toBe("report");
  truncateSync(at("report"), 64 * 2 ** 20 + 1);
  await expect(readReport(at("report"))).rejects.toThrow("too much");
});
