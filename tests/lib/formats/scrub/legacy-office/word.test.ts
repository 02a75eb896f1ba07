import { describe, expect, test } from "vitest";
import { planLegacyOffice } from "#lib/formats/scrub/legacy-office/index.ts";
import { makeOleFile, type OleContent, readOleStream } from "#tests/samples/office/ole-file.ts";
import {
  makeStringTable,
  makeWordStreams,
  makeXst,
  readWordRange,
  type WordOptions,
  type WordRanges,
  wordText,
} from "#tests/samples/office/word-binary.ts";
import { scrubBytes } from "#tests/samples/scrub-bytes.ts";

const hasSecret = (bytes: Buffer) =>
  bytes.includes("Secret") || bytes.includes(Buffer.from("Secret", "utf16le"));

async function scrub(places: WordRanges, options: WordOptions = {}, more: OleContent = {}) {
  const file = makeOleFile({ ...makeWordStreams(places, options), ...more });
  const scrubbed = await scrubBytes(file, planLegacyOffice);
  const main = readOleStream(scrubbed, "WordDocument");
  const table = readOleStream(scrubbed, "1Table");
  return { file: scrubbed, main, range: (index: number) => readWordRange(main, table, index) };
}

const dttm = (minute: number, day = 5, year = 120) =>
  ((3 << 29) | (year << 20) | (6 << 16) | (day << 11) | (7 << 6) | minute) >>> 0;

/** A property with an operand of four bytes (MS-DOC, 2.2.5). */
function property(sprm: number, value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt16LE(sprm, 0);
  bytes.writeUInt32LE(value, 2);
  return bytes;
}

describe("from a Word document are removed", () => {
  test.each([
    ["the paths and users of its saves", 71, makeStringTable(["Secret", "C:\\Secret.doc"])],
    ["its printer", 27, Buffer.from("\\\\Secret\\printer")],
    ["the path of its recovery copy", 35, Buffer.from("Secret.asd")],
    ["its routing slip", 70, Buffer.from("Secret <secret@example.com>")],
    ["the emails that contained it", 97, Buffer.from("Secret")],
    ["its editing sessions", 113, Buffer.from("Secret")],
  ])("%s", async (_, index, bytes) => {
    const { file, main, range } = await scrub({ [index]: bytes });
    expect(range(index)).toHaveLength(0);
    expect(hasSecret(file)).toBe(false);
    expect(main.includes(wordText)).toBe(true);
  });

  test("the strings of the document except its password", async () => {
    const strings = Array.from({ length: 18 }, (_, index) => (index < 8 ? "Secret" : ""));
    const { range } = await scrub({ 32: makeStringTable([...strings.slice(0, 17), "password"]) });
    expect(range(32)).toEqual(makeStringTable([...Array(17).fill(""), "password"]));
  });

  test("the authors of changes, which get different names", async () => {
    const table = makeStringTable(["Unknown", "Secret Ann", "Secret Bob", "Jo", "K"]);
    const { range } = await scrub({ 51: table });
    expect(range(51)).toEqual(makeStringTable(["Unknown", "Author", "Author 2", "A3", "4"]));
  });

  test("the authors, initials and dates of comments", async () => {
    const descriptor = Buffer.alloc(30, 0xee);
    makeXst("Secre").copy(descriptor);
    const comments = Buffer.concat([Buffer.alloc(8), descriptor]);
    const { range } = await scrub({
      4: comments,
      36: Buffer.concat([makeXst("Secret Ann"), makeXst("Jo")]),
      112: Buffer.alloc(18, 0x11),
    });
    expect(range(36)).toEqual(Buffer.concat([makeXst("Author"), makeXst("Au")]));
    expect(range(4).toString("utf16le", 10, 12)).toBe("A");
    expect(range(4).subarray(28)).toEqual(comments.subarray(28));
    expect(range(112).readUInt32LE(0)).toBe(0);
  });

  test("the dates of creation, change and printing", async () => {
    const { range } = await scrub({ 31: Buffer.alloc(84, 0x11) });
    expect([...range(31)].filter((byte) => byte === 0)).toHaveLength(18);
  });

  test("the dates of changes, except their order and which are a minute apart", async () => {
    const dates = [dttm(9), dttm(8), dttm(8, 6), dttm(8)];
    const run = Buffer.concat([
      ...dates.map((date) => property(0x6805, date)),
      property(0x6815, 0x12345678),
      Buffer.from("0808014a431c00", "hex"), // bold, and a size
    ]);
    const { main } = await scrub({}, { run });
    const after = main.subarray(2560 + 201, 2560 + 201 + run.length);
    const [second, first, third, repeated] = dates.map((_, index) =>
      after.readUInt32LE(6 * index + 2),
    );
    expect([first, second, third, repeated].map((date) => (date ?? 0) & 0x3f)).toEqual([
      2, 3, 5, 2,
    ]);
    expect((first ?? 0) >> 20).toBe(80);
    expect(after.readUInt32LE(26)).toBe(0);
    expect(after.subarray(30)).toEqual(run.subarray(30));
  });

  test("the metadata of embedded documents", async () => {
    const inner = makeWordStreams({ 36: makeXst("Secret Ann") });
    const more = {
      "ObjectPool/_1/WordDocument": inner.WordDocument,
      "ObjectPool/_1/1Table": inner["1Table"],
      "ObjectPool/_1/\x05SummaryInformation": Buffer.from("Secret"),
    };
    const { file } = await scrub({}, {}, more);
    expect(hasSecret(file)).toBe(false);
    expect(file.includes(Buffer.alloc(16, 0x11))).toBe(false); // dates of the storages
  });
});

describe("a Word document is rejected", () => {
  test.each([
    ["that is encrypted", { flags: 0x300 }, { name: "EncryptedDocumentError" }],
    [
      "older than Word 97",
      { version: 0x68 },
      { name: "UnsupportedVersionError", firstSupported: "Word 97" },
    ],
    ["without its table stream", { flags: 0 }, { name: "DamagedDataError" }],
  ])("%s", async (_, options, error) => {
    await expect(scrub({}, options)).rejects.toMatchObject(error);
  });

  test.each([
    ["a range past the end", { 51: 0x7fffffff }],
    ["a table that is cut off", { 51: 3 }],
  ])("with %s", async (_, lengths) => {
    const streams = makeWordStreams({ 51: makeStringTable(["Unknown", "Secret"]) });
    for (const [index, length] of Object.entries(lengths)) {
      streams.WordDocument.writeUInt32LE(length, 154 + 8 * Number(index) + 4);
    }
    const file = makeOleFile(streams);
    await expect(scrubBytes(file, planLegacyOffice)).rejects.toBeInstanceOf(RangeError);
  });
});
