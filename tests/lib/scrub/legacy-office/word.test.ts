import { describe, expect, test } from "vitest";
import { planLegacyOffice } from "#lib/scrub/legacy-office/index.ts";
import { type CompoundContent, makeCompound, readCompoundStream } from "#tests/samples/compound.ts";
import { scrubBytes } from "#tests/samples/scrub-bytes.ts";
import {
  readPlace,
  type WordOptions,
  type WordPlaces,
  wordStreams,
  wordTable,
  wordText,
  xst,
} from "#tests/samples/word-binary.ts";

const hasSecret = (bytes: Buffer) =>
  bytes.includes("Secret") || bytes.includes(Buffer.from("Secret", "utf16le"));

async function scrub(places: WordPlaces, options: WordOptions = {}, more: CompoundContent = {}) {
  const file = makeCompound({ ...wordStreams(places, options), ...more });
  const cleaned = await scrubBytes(file, planLegacyOffice);
  const main = readCompoundStream(cleaned, "WordDocument");
  const table = readCompoundStream(cleaned, "1Table");
  return { file: cleaned, main, place: (index: number) => readPlace(main, table, index) };
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

describe("a Word document loses", () => {
  test.each([
    ["where it was saved, and by whom", 71, wordTable(["Secret", "C:\\Secret.doc"])],
    ["its printer", 27, Buffer.from("\\\\Secret\\printer")],
    ["the copy it was recovered from", 35, Buffer.from("Secret.asd")],
    ["to whom it was passed on", 70, Buffer.from("Secret <secret@example.com>")],
    ["the mails it was in", 97, Buffer.from("Secret")],
    ["the marks of its sessions", 113, Buffer.from("Secret")],
  ])("%s", async (_, index, bytes) => {
    const { file, main, place } = await scrub({ [index]: bytes });
    expect(place(index)).toHaveLength(0);
    expect(hasSecret(file)).toBe(false);
    expect(main.includes(wordText)).toBe(true);
  });

  test("its own strings, but for the password that guards it", async () => {
    const strings = Array.from({ length: 18 }, (_, index) => (index < 8 ? "Secret" : ""));
    const { place } = await scrub({ 32: wordTable([...strings.slice(0, 17), "password"]) });
    expect(place(32)).toEqual(wordTable([...Array(17).fill(""), "password"]));
  });

  test("the authors of changes, who stay apart", async () => {
    const table = wordTable(["Unknown", "Secret Ann", "Secret Bob", "Jo", "K"]);
    const { place } = await scrub({ 51: table });
    expect(place(51)).toEqual(wordTable(["Unknown", "Author", "Author 2", "A3", "4"]));
  });

  test("the authors, initials and dates of comments", async () => {
    const descriptor = Buffer.alloc(30, 0xee);
    xst("Secre").copy(descriptor);
    const comments = Buffer.concat([Buffer.alloc(8), descriptor]);
    const { place } = await scrub({
      4: comments,
      36: Buffer.concat([xst("Secret Ann"), xst("Jo")]),
      112: Buffer.alloc(18, 0x11),
    });
    expect(place(36)).toEqual(Buffer.concat([xst("Author"), xst("Au")]));
    expect(place(4).toString("utf16le", 10, 12)).toBe("A");
    expect(place(4).subarray(28)).toEqual(comments.subarray(28));
    expect(place(112).readUInt32LE(0)).toBe(0);
  });

  test("when it was made, changed and printed", async () => {
    const { place } = await scrub({ 31: Buffer.alloc(84, 0x11) });
    expect([...place(31)].filter((byte) => byte === 0)).toHaveLength(18);
  });

  test("the dates of changes, whose order stays, and which of them were a minute apart", async () => {
    const dates = [dttm(9), dttm(8), dttm(8, 6), dttm(8)];
    const run = Buffer.concat([
      ...dates.map((date) => property(0x6805, date)),
      property(0x6815, 0x12345678),
      Buffer.from("0808014a431c00", "hex"), // bold, and a size
    ]);
    const { main } = await scrub({}, { run });
    const after = main.subarray(2560 + 201, 2560 + 201 + run.length);
    const [second, first, third, again] = dates.map((_, index) =>
      after.readUInt32LE(6 * index + 2),
    );
    expect([first, second, third, again].map((date) => (date ?? 0) & 0x3f)).toEqual([2, 3, 5, 2]);
    expect((first ?? 0) >> 20).toBe(80);
    expect(after.readUInt32LE(26)).toBe(0);
    expect(after.subarray(30)).toEqual(run.subarray(30));
  });

  test("what is in documents inside it, too", async () => {
    const inner = wordStreams({ 36: xst("Secret Ann") });
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

describe("a Word document is refused", () => {
  test.each([
    ["behind a password", { flags: 0x300 }, { name: "LockedDocumentError" }],
    ["from before Word 97", { version: 0x68 }, { name: "OldDocumentError", program: "Word 97" }],
    ["without its tables", { flags: 0 }, { name: "RangeError" }],
  ])("%s", async (_, options, error) => {
    await expect(scrub({}, options)).rejects.toMatchObject(error);
  });

  test.each([
    ["a place past the end", { 51: 0x7fffffff }],
    ["a table that is cut off", { 51: 3 }],
  ])("with %s", async (_, lengths) => {
    const streams = wordStreams({ 51: wordTable(["Unknown", "Secret"]) });
    for (const [index, length] of Object.entries(lengths)) {
      streams.WordDocument.writeUInt32LE(length, 154 + 8 * Number(index) + 4);
    }
    const file = makeCompound(streams);
    await expect(scrubBytes(file, planLegacyOffice)).rejects.toBeInstanceOf(RangeError);
  });
});
