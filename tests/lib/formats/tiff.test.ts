import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ExifData, orientationTag } from "#lib/formats/tiff/exif-data.ts";
import { hasInvalidOrientation } from "#lib/formats/tiff/tiff-orientation.ts";

/** A TIFF structure of one directory whose entries are SHORTs. */
function tiffOf(mark: "II" | "MM", entries: readonly (readonly [tag: number, value: number])[]) {
  const tiff = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
  const write = (value: number, at: number, length: number) =>
    mark === "II" ? tiff.writeUIntLE(value, at, length) : tiff.writeUIntBE(value, at, length);
  tiff.write(mark, "latin1");
  write(42, 2, 2);
  write(8, 4, 4);
  write(entries.length, 8, 2);
  for (const [index, [tag, value]] of entries.entries()) {
    const at = 10 + index * 12;
    write(tag, at, 2);
    write(3, at + 2, 2);
    write(1, at + 4, 4);
    write(value, at + 8, 2);
  }
  return tiff;
}

const orientationOf = (exif: Buffer) => {
  const data = new ExifData(exif);
  const at = data.entriesOf(data.first).get(orientationTag);
  return at === undefined ? undefined : data.uint(at + 8, 2);
};

test.each(["II", "MM"] as const)("EXIF data in the byte order %s is read", (mark) => {
  const tiff = tiffOf(mark, [
    [0x0100, 5],
    [orientationTag, 6],
    [orientationTag, 3],
  ]);
  expect(orientationOf(tiff)).toBe(6);
  expect(orientationOf(Buffer.concat([Buffer.from("Exif\0\0"), tiff]))).toBe(6);
  const data = new ExifData(tiff);
  expect(data.linkAfter(data.first)).toBe(tiff.length - 4);
});

test("what is not in the data is read as 0", () => {
  const tiff = tiffOf("II", [
    [0x0100, 5],
    [orientationTag, 6],
  ]);
  expect(orientationOf(tiff.subarray(0, 33))).toBeUndefined();
  expect(orientationOf(tiff.subarray(0, 6))).toBeUndefined();
  expect(orientationOf(Buffer.alloc(0))).toBeUndefined();
});

test("only a TIFF file with an invalid orientation is reported", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-tiff-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "a.tiff");
  const check = (bytes: Buffer) => {
    writeFileSync(path, bytes);
    return hasInvalidOrientation(path);
  };
  const invalid = tiffOf("MM", [[orientationTag, 9]]);
  expect(await check(invalid)).toBe(true);
  expect(await check(tiffOf("II", [[orientationTag, 0]]))).toBe(true);
  expect(await check(tiffOf("II", [[orientationTag, 8]]))).toBe(false);
  expect(await check(tiffOf("II", [[0x0100, 9]]))).toBe(false);
  expect(await check(invalid.subarray(0, 16))).toBe(false);
  expect(await check(invalid.subarray(0, 6))).toBe(false);
  expect(await check(Buffer.from("II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0", "latin1"))).toBe(false);
});
