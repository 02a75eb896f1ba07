import { describe, expect, test } from "vitest";
import { planLegacyOffice } from "#lib/formats/scrub/legacy-office/index.ts";
import { makeOleFile, readOleStream } from "#tests/samples/office/ole-file.ts";
import { scrubBytes } from "#tests/samples/scrub-bytes.ts";

const summary = "\x05SummaryInformation";
const documentSummary = "\x05DocumentSummaryInformation";

const file = () =>
  makeOleFile({
    [summary]: Buffer.from("Secret"),
    [documentSummary]: Buffer.from("Secret"),
    Other: Buffer.from("kept"),
    "Folder/Deep/\x05SummaryInformation": Buffer.from("Secret"),
  });

/** Where the entry of `name` begins in the directory of a file by `makeCompound`. */
const entryOf = (bytes: Buffer, name: string) => bytes.indexOf(Buffer.from(`${name}\0`, "utf16le"));

/** The offset of the entry of `sector` in the allocation table. */
const nextOf = (bytes: Buffer, sector: number) => 512 * (bytes.readUInt32LE(0x4c) + 1) + 4 * sector;

const startOf = (bytes: Buffer, name: string) => bytes.readUInt32LE(entryOf(bytes, name) + 0x74);

describe("a compound file", () => {
  test("gets empty property sets and cleared slack, and keeps all other bytes", async () => {
    const before = file();
    const after = await scrubBytes(before, planLegacyOffice);
    expect(after.includes("Secret")).toBe(false);
    expect(readOleStream(after, "Other")).toEqual(readOleStream(before, "Other"));
    for (const [name, format] of [
      [summary, "e0859ff2f94f6810ab9108002b27b3d9"],
      [documentSummary, "02d5cdd59c2e1b10939708002b2cf9ae"],
    ] as const) {
      const set = readOleStream(after, name);
      expect(set.toString("hex", 0, 4)).toBe("feff0000");
      expect(set.toString("hex", 28, 44)).toBe(format);
      // One set, of 24 bytes, of one property: the code page, 1200.
      expect([24, 44, 48, 52, 56, 60, 64, 68].map((at) => set.readUInt32LE(at))).toEqual([
        1, 48, 24, 1, 1, 16, 2, 1200,
      ]);
      expect(set.subarray(72).every((byte) => byte === 0)).toBe(true);
    }
  });

  test("does not change when it is scrubbed again", async () => {
    const once = await scrubBytes(file(), planLegacyOffice);
    expect((await scrubBytes(once, planLegacyOffice)).equals(once)).toBe(true);
  });

  test.each<[string, (bytes: Buffer) => Buffer | undefined]>([
    ["is cut off", (bytes) => bytes.subarray(0, bytes.length / 2)],
    ["ends after its signature", (bytes) => bytes.subarray(0, 8)],
    [
      "has a cyclic chain",
      (bytes) => {
        const start = startOf(bytes, "Other");
        bytes.writeUInt32LE(start, nextOf(bytes, start + 3));
        bytes.writeUInt32LE(8192, entryOf(bytes, "Other") + 0x78);
        return undefined;
      },
    ],
    [
      "has two streams in the same sectors",
      (bytes) => {
        bytes.writeUInt32LE(startOf(bytes, summary), entryOf(bytes, "Other") + 0x74);
        return undefined;
      },
    ],
    [
      "has a stream that begins past its end",
      (bytes) => {
        bytes.writeUInt32LE(99_999, entryOf(bytes, "Other") + 0x74);
        return undefined;
      },
    ],
    [
      "has a stream longer than its chain",
      (bytes) => {
        bytes.writeUInt32LE(0x7fffffff, entryOf(bytes, "Other") + 0x78);
        return undefined;
      },
    ],
    [
      "has an entry that is its own sibling",
      (bytes) => {
        const entry = entryOf(bytes, "Other");
        bytes.writeUInt32LE((entry % 512) / 128, entry + 0x44);
        return undefined;
      },
    ],
    [
      "has a cyclic directory",
      (bytes) => {
        const start = bytes.readUInt32LE(0x30);
        bytes.writeUInt32LE(start, nextOf(bytes, start + 1));
        return undefined;
      },
    ],
    [
      "has a cyclic list of tables",
      (bytes) => {
        bytes.writeUInt32LE(0, 0x44);
        bytes.writeUInt32LE(0, 512 + 508);
        return undefined;
      },
    ],
    [
      "has a table past its end",
      (bytes) => {
        bytes.writeUInt32LE(0xfffffff0, 0x4c);
        return undefined;
      },
    ],
  ])("is rejected as damaged if it %s", async (_, damage) => {
    const bytes = file();
    const damaged = damage(bytes) ?? bytes;
    await expect(scrubBytes(damaged, planLegacyOffice)).rejects.toBeInstanceOf(RangeError);
  });
});
