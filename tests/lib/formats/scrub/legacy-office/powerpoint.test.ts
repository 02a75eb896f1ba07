import { expect, test } from "vitest";
import { planLegacyOffice } from "#lib/formats/scrub/legacy-office/index.ts";
import { makeOleFile, readOleStream } from "#tests/samples/office/ole-file.ts";
import { scrubBytes } from "#tests/samples/scrub-bytes.ts";

/** A record of a presentation: version and instance, type, length, content. */
function record(tag: number, type: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt16LE(tag, 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

const container = 0xf;
const text = (instance: number, value: string) =>
  record(instance << 4, 0xfba, Buffer.from(value, "utf16le"));

function user(name: string, token = 0xe391c05f): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt32LE(20, 0);
  header.writeUInt32LE(token, 4);
  header.writeUInt16LE(name.length, 12);
  const names = [
    Buffer.from(name, "latin1"),
    Buffer.from([9, 0, 0, 0]),
    Buffer.from(name, "utf16le"),
  ];
  return record(0, 0xff6, header, ...names);
}

const comment = (name: string, initials: string, date: Buffer) =>
  record(
    container,
    0x2ee0,
    text(0, name),
    text(1, "Secret text stays"),
    text(2, initials),
    record(0, 0x2ee1, Buffer.alloc(4), date, Buffer.alloc(8)),
  );

const slides = (name: string, initials: string, date: Buffer, words: string) =>
  record(
    container,
    0x3e8,
    record(container, 0x428, Buffer.from("PK\x03\x04, no records")),
    text(3, "Secret slide stays"),
    record(0, 0x138b, text(1, words), text(2, words), comment(name, initials, date)),
    record(container, 0x2ee4, text(0, name)),
  );

test("the user, the keywords, and the authors and dates of comments are removed", async () => {
  const file = makeOleFile({
    "Current User": user("Secret Ann"),
    "PowerPoint Document": slides("Secret Ann", "SA", Buffer.alloc(16, 1), "Secret"),
  });
  const scrubbed = await scrubBytes(file, planLegacyOffice);
  const noDate = Buffer.from("b2070100040001000000000000000000", "hex");
  const expected = slides("Author    ", "A ", noDate, "      ");
  expect(readOleStream(scrubbed, "PowerPoint Document").subarray(0, expected.length)).toEqual(
    expected,
  );
  const expectedUser = user("Author    ");
  expect(readOleStream(scrubbed, "Current User").subarray(0, expectedUser.length)).toEqual(
    expectedUser,
  );
});

test.each([
  [
    "that is encrypted",
    { "Current User": user("x", 0xf3d1c4df) },
    { name: "EncryptedDocumentError" },
  ],
  [
    "with an encrypted summary",
    { EncryptedSummary: Buffer.alloc(1) },
    { name: "EncryptedDocumentError" },
  ],
  [
    "older than PowerPoint 97",
    { "PowerPoint Document": Buffer.alloc(1), "PersistentStorage Directory": Buffer.alloc(1) },
    { name: "UnsupportedVersionError", firstSupported: "PowerPoint 97" },
  ],
])("a presentation %s is rejected", async (_, streams, error) => {
  const file = makeOleFile(streams);
  await expect(scrubBytes(file, planLegacyOffice)).rejects.toMatchObject(error);
});

test("deeply nested records, and a record longer than its parent, stay as they are", async () => {
  let nested = text(0, "Secret stays");
  for (let depth = 0; depth < 2000; depth++) nested = record(container, 0x3e8, nested);
  const long = record(
    container,
    0x3e8,
    Buffer.from("0000ba0fffffff7f0000", "hex"),
    Buffer.alloc(20),
  );
  const document = Buffer.concat([nested, long]);
  const file = makeOleFile({ "PowerPoint Document": document });
  const scrubbed = readOleStream(await scrubBytes(file, planLegacyOffice), "PowerPoint Document");
  expect(scrubbed.subarray(0, document.length)).toEqual(document);
});
