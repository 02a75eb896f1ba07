import { afterAll, describe, expect, test } from "vitest";
import { closeExiftool } from "#lib/engines/exiftool.ts";
import { JobError, type JobErrorCode } from "#lib/errors.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { stripMetadata } from "#lib/operations/pipeline/strip-metadata.ts";
import { makeCompound } from "#tests/support/compound.ts";
import { toSample } from "#tests/support/images.ts";
import { makePdf } from "#tests/support/metadata.ts";
import { runOperation } from "#tests/support/operation.ts";
import { wordStreams } from "#tests/support/word-binary.ts";
import { makeZip } from "#tests/support/zip.ts";

afterAll(closeExiftool);

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

/** A ZIP archive whose entries say that they need a password. */
function lockZip(zip: Buffer): Buffer {
  const locked = Buffer.from(zip);
  for (const [mark, flags] of [
    ["PK\x03\x04", 6],
    ["PK\x01\x02", 8],
  ] as const) {
    for (let at = locked.indexOf(mark); at >= 0; at = locked.indexOf(mark, at + 4)) {
      locked[at + flags] = 1;
    }
  }
  return locked;
}

const parts = [
  { name: "[Content_Types].xml", content: "<Types/>" },
  { name: "_rels/.rels", content: "<Relationships/>" },
];

interface BadFile {
  readonly id: string;
  readonly type: MediaTypeId;
  readonly bytes: Buffer;
  readonly answers: readonly (JobErrorCode | "completed")[];
}

const files: readonly BadFile[] = [
  { id: "pdf-garbage", type: "pdf", bytes: Buffer.from("%PDF-1.7\ngarbage"), answers: ["corrupt"] },
  {
    id: "pdf-with-warnings",
    type: "pdf",
    bytes: makePdf("%PDF-1.4 and more"),
    answers: ["completed"],
  },
  { id: "jpeg-header-alone", type: "jpeg", bytes: hex("ffd8ffe1ffff4578"), answers: ["corrupt"] },
  { id: "png-header-alone", type: "png", bytes: hex("89504e470d0a1a0a"), answers: ["corrupt"] },
  // Its only directory names itself as the next one.
  {
    id: "tiff-in-a-loop",
    type: "tiff",
    bytes: hex("49492a00 08000000 0000 08000000"),
    answers: ["completed"],
  },
  { id: "tiff-past-its-end", type: "tiff", bytes: hex("49492a00 ffffff7f"), answers: ["corrupt"] },
  {
    id: "tiff-of-65535-tags",
    type: "tiff",
    bytes: hex("49492a00 08000000 ffff 0001"),
    answers: ["corrupt"],
  },
  {
    id: "raw-photograph",
    type: "tiff",
    bytes: hex("49492a00 08000000 0100 12c6 0100 04000000 01040000 00000000"),
    answers: ["unsupported_type"],
  },
  {
    id: "webp-past-its-end",
    type: "webp",
    bytes: Buffer.from("RIFF\xff\xff\0\0WEBPVP8 \xff\xff\xff\x7f", "latin1"),
    answers: ["corrupt"],
  },
  {
    id: "mp4-without-moov",
    type: "mp4",
    bytes: hex("00000010 66747970 69736f6d 00000000"),
    answers: ["corrupt"],
  },
  {
    id: "mp4-box-of-no-size",
    type: "mp4",
    bytes: hex("00000010 6d6f6f76 00000002 74726b64"),
    answers: ["corrupt"],
  },
  {
    id: "mp4-compressed-moov",
    type: "mp4",
    bytes: hex("00000010 6d6f6f76 00000008 636d6f76"),
    answers: ["unsupported_type"],
  },
  { id: "mkv-of-noise", type: "mkv", bytes: hex("1a45dfa3 00000000"), answers: ["corrupt"] },
  {
    id: "mp3-of-tags-alone",
    type: "mp3",
    bytes: Buffer.from("ID3\x04\0\0\0\0\0\x0a0123456789"),
    answers: ["corrupt"],
  },
  {
    id: "docx-of-noise",
    type: "docx",
    bytes: Buffer.from("PK\x03\x04garbage"),
    answers: ["corrupt"],
  },
  {
    id: "docx-with-a-password",
    type: "docx",
    bytes: lockZip(makeZip(parts.map((part) => ({ ...part, claimedSize: 10 })))),
    answers: ["encrypted"],
  },
  {
    id: "docx-that-leads-out",
    type: "docx",
    bytes: makeZip([...parts, { name: "../../x", content: "" }]),
    answers: ["corrupt"],
  },
  {
    id: "docx-bomb",
    type: "docx",
    bytes: makeZip([...parts, { name: "word/a.xml", content: "x", claimedSize: 2 ** 31 }]),
    answers: ["too_complex"],
  },
  {
    id: "doc-with-a-password",
    type: "doc",
    bytes: makeCompound(wordStreams({}, { flags: 0x300 })),
    answers: ["encrypted"],
  },
  {
    id: "docx-with-a-password-as-word-makes-it",
    type: "doc",
    bytes: makeCompound({ EncryptedPackage: Buffer.from("x") }),
    answers: ["encrypted"],
  },
  {
    id: "doc-from-word-95",
    type: "doc",
    bytes: makeCompound(wordStreams({}, { version: 0x68 })),
    answers: ["unsupported_type"],
  },
  {
    id: "xls-that-is-cut-off",
    type: "xls",
    bytes: makeCompound({ Workbook: Buffer.alloc(9000) }).subarray(0, 3000),
    answers: ["corrupt"],
  },
  { id: "ppt-of-noise", type: "ppt", bytes: Buffer.alloc(5000, 0xa5), answers: ["corrupt"] },
  {
    id: "rtf-that-does-not-end",
    type: "rtf",
    bytes: Buffer.from("{\\rtf1{\\info a"),
    answers: ["corrupt"],
  },
  {
    id: "odt-with-a-password",
    type: "odt",
    bytes: makeZip([{ name: "META-INF/manifest.xml", content: "<manifest:encryption-data/>" }]),
    answers: ["encrypted"],
  },
];

describe("pipeline/strip-metadata", () => {
  test.each(files)("answers $id in a sentence", async ({ type, bytes, answers }) => {
    const run = runOperation(stripMetadata, await toSample(type, bytes));
    const outcome: unknown = await run.catch((error: unknown) => error);
    if (outcome instanceof Error && !(outcome instanceof JobError)) throw outcome;
    const refusal = outcome instanceof JobError ? outcome : undefined;
    expect(answers).toContain(refusal?.code ?? "completed");
    if (refusal) expect(refusal.message).toMatch(/^[A-Z][^/\\]*\.$/);
  });
});
