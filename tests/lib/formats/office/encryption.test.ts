import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isEncryptedOffice } from "#lib/formats/office/encryption.ts";
import { makeSparseOleFile } from "#tests/samples/office/sparse-ole-file.ts";
import { makeZip } from "#tests/samples/zip.ts";

const doc = (flags: number) => Buffer.from([0xec, 0xa5, 0xc1, 0, 0, 0, 0, 0, 0, 0, ...pair(flags)]);
const pair = (value: number) => [value & 255, value >> 8];
const record = (id: number, length: number) =>
  Buffer.concat([Buffer.from([...pair(id), ...pair(length)]), Buffer.alloc(length)]);
const manifest = (content: string) =>
  makeZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.text" },
    { name: "META-INF/manifest.xml", content },
  ]);

it.each<[string, Buffer, boolean]>([
  ["DOCX", makeSparseOleFile(["EncryptionInfo", "EncryptedPackage"]), true],
  ["PPT", makeSparseOleFile(["PowerPoint Document", "EncryptedSummary"]), true],
  ["PPT without", makeSparseOleFile(["PowerPoint Document"]), false],
  ["DOC", makeSparseOleFile(["WordDocument"], { content: doc(0x1300) }), true],
  ["DOC without", makeSparseOleFile(["WordDocument"], { content: doc(0x1200) }), false],
  [
    "XLS",
    makeSparseOleFile(["Workbook"], {
      content: Buffer.concat([record(0x809, 16), record(0x2f, 6)]),
    }),
    true,
  ],
  [
    "XLS, read-only too",
    makeSparseOleFile(["Workbook"], {
      content: Buffer.concat([record(0x809, 16), record(0x86, 0), record(0x2f, 6)]),
    }),
    true,
  ],
  [
    "XLS without",
    makeSparseOleFile(["Workbook"], {
      content: Buffer.concat([record(0x809, 16), record(0xe1, 2)]),
    }),
    false,
  ],
  ["ODT", manifest("<manifest:encryption-data/>"), true],
  ["ODT without", manifest("<manifest:manifest/>"), false],
  ["ODT of version 1.4", makeZip([{ name: "encrypted-package", content: "x" }]), true],
  ["a damaged file", Buffer.from("PK\x03\x04damaged"), false],
  ["an empty file", Buffer.alloc(0), false],
])("detects encryption: %s", async (_, bytes, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "file"), bytes);
  expect(await isEncryptedOffice(join(folder, "file"))).toBe(expected);
});
