import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sniffFile } from "#lib/formats/sniff/sniff.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { uniqueNames } from "#lib/operations/pipeline/archive/entries.ts";
import { archive } from "#lib/operations/pipeline/archive/index.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

/** Files with these names and contents; in files of one folder, so that names may repeat. */
async function makeFiles(files: readonly [string, MediaTypeId, Buffer][]): Promise<Sample[]> {
  const folder = await temporaryFolder();
  return files.map(([filename, type, bytes], index) => {
    const path = join(folder, `${index}`);
    writeFileSync(path, bytes);
    return { path, type, filename };
  });
}

/** Unpacks with libarchive, which wrote none of them. */
async function unpack(path: string): Promise<Map<string, Buffer>> {
  const folder = join(await temporaryFolder(), "out");
  mkdirSync(folder);
  const options = { env: { ...process.env, LC_ALL: "C.UTF-8" } };
  const list = execFileSync("bsdtar", ["-tf", path], options).toString().trimEnd().split("\n");
  execFileSync("bsdtar", ["-xf", path, "-C", folder], options);
  return new Map(list.map((name) => [name, readFileSync(join(folder, name))]));
}

const text = Buffer.from("The quick brown fox. ".repeat(2000));
const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919 * (i % 251)) % 256));

const sources: readonly [string, MediaTypeId, Buffer][] = [
  ["Übersicht 東京 😀.txt", "txt", text],
  ["photo.jpg", "jpeg", noise],
  ["Photo.JPG", "jpeg", noise.subarray(1)],
  ["photo.jpg", "jpeg", noise.subarray(2)],
  ["-rf @list.txt", "txt", Buffer.from("x")],
  ["empty", "unknown", Buffer.alloc(0)],
  [`${"long ".repeat(35)}.csv`, "csv", text.subarray(0, 1024)],
  ["..", "unknown", Buffer.from("up")],
];

const names = [
  "Übersicht 東京 😀.txt",
  "photo.jpg",
  "Photo (2).JPG",
  "photo (3).jpg",
  "-rf @list.txt",
  "empty",
  `${"long ".repeat(35)}.csv`,
  "file",
];

describe.each(["zip", "tar.gz", "7z"])("%s", (format) => {
  test("has every file under its own name, byte by byte", async () => {
    const samples = await makeFiles(sources);
    const params = { format, name: "Fotos & Täxte" };
    const { outputs, result } = await runOperation(archive, samples, params);
    const [output] = outputs;
    expect(output?.filename).toBe(`Fotos & Täxte.${format}`);
    const files = await unpack(output?.path ?? "");
    expect([...files.keys()].toSorted()).toEqual(names.toSorted());
    for (const [index, [, , bytes]] of sources.entries()) {
      expect(files.get(names[index] ?? "")?.equals(bytes)).toBe(true);
    }
    const total = sources.reduce((sum, [, , bytes]) => sum + bytes.length, 0);
    const size = readFileSync(output?.path ?? "").length;
    expect(result).toMatchObject({ files: 8, bytes: total, archive_bytes: size });
    expect(result?.ratio).toBeCloseTo(size / total, 3);
    // Text is compressed.
    expect(size).toBeLessThan(total / 2);
    const { id } = await sniffFile(output?.path ?? "");
    expect(id).toBe({ zip: "zip", "tar.gz": "tgz", "7z": "7z" }[format]);
  });

  test("of one file has its name", async () => {
    const samples = await makeFiles([["report.final.pdf", "pdf", text]]);
    const { outputs } = await runOperation(archive, samples, { format });
    expect(outputs[0]?.filename).toBe(`report.final.${format}`);
    const files = await unpack(outputs[0]?.path ?? "");
    expect([...files]).toEqual([["report.final.pdf", text]]);
  });
});

test("ZIP stores what is compressed already, and Python finds no error in it", async () => {
  const { outputs } = await runOperation(archive, await makeFiles(sources));
  const code = `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps({i.filename: [i.compress_type, i.flag_bits & 0x800, i.date_time[0]] for i in z.infolist()}))`;
  const found = JSON.parse(execProgram("python3", ["-c", code, outputs[0]?.path ?? ""]).toString());
  const year = new Date().getFullYear();
  expect(Math.abs(found["photo.jpg"][2] - year)).toBeLessThanOrEqual(1);
  expect(found["photo.jpg"].slice(0, 2)).toEqual([0, 0x800]);
  expect(found["Übersicht 東京 😀.txt"].slice(0, 2)).toEqual([8, 0x800]);
  expect(outputs[0]?.filename).toBe("archive.zip");
});

test("7z stores what is compressed already", async () => {
  const { outputs } = await runOperation(archive, await makeFiles(sources), { format: "7z" });
  const list = execFileSync("7zz", ["l", "-slt", outputs[0]?.path ?? ""]).toString();
  const methodOf = (name: string) => list.split(`Path = ${name}\n`)[1]?.match(/Method = (.*)/)?.[1];
  expect(methodOf("photo.jpg")).toBe("Copy");
  expect(methodOf("Übersicht 東京 😀.txt")).toMatch(/^LZMA2/);
});

test("names are safe on every system, and unique even if they differ in case only", () => {
  const given = [
    "a/b.txt",
    "C:evil.txt",
    "..\\..\\x",
    "A.txt",
    "a.TXT",
    "e\u0301",
    "é",
    "a\u0000b",
    " ",
  ];
  expect(uniqueNames(given)).toEqual([
    "a_b.txt",
    "C_evil.txt",
    ".._.._x",
    "A.txt",
    "a (2).TXT",
    "é",
    "é (2)",
    "a_b",
    "file",
  ]);
  const long = uniqueNames(["東".repeat(200), "東".repeat(200)]);
  expect(Math.max(...long.map((name) => Buffer.byteLength(name)))).toBeLessThanOrEqual(210);
  expect(new Set(long).size).toBe(2);
});

test("other data in gzip is no archive", async () => {
  const [sample] = await makeFiles([["a.txt", "txt", text]]);
  const path = sample?.path ?? "";
  execFileSync("gzip", ["-k", "-S", ".gz", path]);
  expect((await sniffFile(`${path}.gz`)).id).toBe("unknown");
});

test.each([
  { format: "rar" },
  { name: "" },
  { name: "a/b" },
  { name: ".." },
  { name: "a\u0000" },
  { name: "x".repeat(101) },
])("%j is rejected", (params) => {
  expect(archive.params.safeParse(params).success).toBe(false);
});
