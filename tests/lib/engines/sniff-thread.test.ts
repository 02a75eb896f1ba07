import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { detectFileType, detectReaderType } from "#lib/engines/sniff/detect-type.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

it("detects the types of many files at once", async () => {
  const path = join(await temporaryFolder(), "a");
  writeFileSync(path, '{"a": 1}');
  const types = await Promise.all(Array.from({ length: 20 }, () => detectFileType(path, {})));
  expect(new Set(types.map(({ id }) => id))).toEqual(new Set(["json"]));
});

it("reads files that are not on disk, and uses their names", async () => {
  const bytes = Buffer.from("a;b\n1;2\n");
  const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const type = await detectReaderType({ size: bytes.length, read }, { filename: "a.csv" });
  expect(type.id).toBe("csv");
});

it("passes on why a file cannot be read, and continues with the next", async () => {
  const failure = new Error("ranges are unusable");
  const read = () => Promise.reject(failure);
  await expect(detectReaderType({ size: 10, read }, {})).rejects.toBe(failure);
  const missing = detectFileType("/nonexistent/file", {});
  await expect(missing).rejects.toThrow("ENOENT");
  const path = join(await temporaryFolder(), "a");
  writeFileSync(path, "WEBVTT\n");
  expect((await detectFileType(path, {})).id).toBe("vtt");
});
