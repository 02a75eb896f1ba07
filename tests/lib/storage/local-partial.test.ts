import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { LocalPartialFiles } from "#lib/storage/local-partial.ts";

const content = Buffer.from("the complete file");
const file = { key: "file", bytes: content.length, partBytes: 1024, storeId: null };

/** A folder with a finished file. */
async function finishFile() {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-partial-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const partial = new LocalPartialFiles((key) => join(folder, key));
  await partial.begin("file");
  const write = { offset: 0, bytes: content.length, onStored: async () => true };
  await partial.append(file, Readable.from([content]), write);
  await partial.finish(file);
  return { folder, partial };
}

it("a finished file is not begun again", async () => {
  const { folder, partial } = await finishFile();
  await partial.begin("file");
  expect(await readdir(folder)).toEqual(["file"]);
});

it.each([0, 5, content.length])(
  "a finished file is not replaced by %i bytes that were begun at the same time",
  async (length) => {
    const { folder, partial } = await finishFile();
    await writeFile(join(folder, "file.partial"), Buffer.alloc(length));
    await partial.finish(file);
    expect(await readFile(join(folder, "file"))).toEqual(content);
    expect(await readdir(folder)).toEqual(["file"]);
  },
);
