import { describe, expect, test } from "vitest";
import { planLegacyOffice } from "#lib/formats/scrub/legacy-office/index.ts";
import { makeOleFile, readOleStream } from "#tests/samples/office/ole-file.ts";
import { scrubBytes } from "#tests/samples/scrub-bytes.ts";

/** A record of a workbook: type, length, content. */
function record(type: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === "string" ? hex(part) : part)));
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(content.length, 2);
  return Buffer.concat([head, content]);
}

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const zeros = (count: number) => Buffer.alloc(count);
const text = (value: string) => Buffer.from(value, "latin1");
const wide = (value: string) => Buffer.from(value, "utf16le");

const excel97 = record(0x809, "0006", zeros(14));
const excel95 = record(0x809, "0005", zeros(6));

async function scrub(...records: readonly Buffer[]): Promise<Buffer> {
  const workbook = Buffer.concat(records);
  const file = await scrubBytes(makeOleFile({ Workbook: workbook }), planLegacyOffice);
  return readOleStream(file, "Workbook").subarray(0, workbook.length);
}

describe("from a workbook are removed", () => {
  test.each([
    [
      "its last user",
      excel97,
      record(0x5c, "0600 00", text("Secret"), text(" ".repeat(103))),
      record(0x5c, "0200 00", text(" ".repeat(109))),
    ],
    [
      "its last user, as Excel 95 wrote it",
      excel95,
      record(0x5c, "06", text("Secret"), text(" ".repeat(25))),
      record(0x5c, "02", text(" ".repeat(31))),
    ],
    [
      "the user who reserved write access",
      excel97,
      record(0x5b, "0100 1234", "0800 01", wide("Secret A")),
      record(0x5b, "0100 1234", "0800 01", wide("Author  ")),
    ],
    [
      "the author of a comment",
      excel97,
      record(0x1c, zeros(8), "0400 00", text("Secr"), "00"),
      record(0x1c, zeros(8), "0400 00", text("Auth"), "00"),
    ],
    [
      "the user who refreshed a pivot table",
      excel97,
      record(0xc6, zeros(18), "0600", "00", text("Secret")),
      record(0xc6, zeros(18), "0600", "00", text("Author")),
    ],
    [
      "the author and date of a revision",
      excel97,
      record(0x138, zeros(32), "0600", "00", text("Secret"), text("Secret".repeat(17)), zeros(5)),
      record(0x138, zeros(32), "0600", "00", text("Author"), zeros(107)),
    ],
    [
      "its printer and the data of its driver",
      excel97,
      record(
        0x4d,
        "0000",
        wide("Secret".padEnd(32, "\0")),
        zeros(4),
        "4800",
        "0600",
        text("Secret"),
      ),
      record(0x4d, "0000", zeros(64), zeros(4), "4800", "0600", zeros(6)),
    ],
  ])("%s", async (_, start, before, after) => {
    const cell = record(0x204, zeros(6), "0600 00", text("Secret"));
    expect(await scrub(start, before, cell)).toEqual(Buffer.concat([start, after, cell]));
  });

  test("the GPS positions of its images, also if these are split into records", async () => {
    const exif = Buffer.concat([text("Exif\0\0"), text("Secret place")]);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(exif.length + 2);
    const jpeg = Buffer.concat([
      hex("ffd8 ffe1"),
      size,
      exif,
      hex("ffda 0002"),
      text("pixels"),
      hex("ffd9"),
    ]);
    const blip = Buffer.concat([hex("a046 1df0"), zeros(4), zeros(17), jpeg]);
    blip.writeUInt32LE(17 + jpeg.length, 4);
    const first = blip.subarray(0, 44);
    const second = blip.subarray(44);
    const scrubbed = await scrub(excel97, record(0xeb, first), record(0x3c, second));
    expect(scrubbed.includes("Secret")).toBe(false);
    expect(scrubbed.includes("pixels")).toBe(true);
  });
});

describe("a workbook is rejected", () => {
  test.each([
    ["that is encrypted", record(0x2f, zeros(6)), { name: "EncryptedDocumentError" }],
    ["with a record past its end", hex("3100 ffff"), { name: "DamagedDataError" }],
  ])("%s", async (_, bad, error) => {
    // Padded to 4096 bytes, so that the damaged record is the last one.
    const filler = record(0x31, zeros(4096 - excel97.length - 4 - bad.length));
    await expect(scrub(excel97, filler, bad)).rejects.toMatchObject(error);
  });
});
