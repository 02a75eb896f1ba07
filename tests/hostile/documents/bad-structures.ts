import type { MediaTypeId } from "#lib/media/types.ts";
import { makeOleFile } from "#tests/samples/office/ole-file.ts";
import { makeWordStreams } from "#tests/samples/office/word-binary.ts";
import { makeZip } from "#tests/samples/zip.ts";
import type { BadInput, Outcome } from "../bad-input.ts";

/** Bad inputs: files with broken structures, for which the metadata remover has exact outcomes. */

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

/** A ZIP archive whose entries have the encryption flag. */
function lockZip(zip: Buffer): Buffer {
  const locked = Buffer.from(zip);
  for (const [signature, flags] of [
    ["PK\x03\x04", 6],
    ["PK\x01\x02", 8],
  ] as const) {
    for (let at = locked.indexOf(signature); at >= 0; at = locked.indexOf(signature, at + 4)) {
      locked[at + flags] = 1;
    }
  }
  return locked;
}

const parts = [
  { name: "[Content_Types].xml", content: "<Types/>" },
  { name: "_rels/.rels", content: "<Relationships/>" },
];

/** The outcomes of other operations, which depend on how much of the file they read. */
const otherOutcomes: readonly Outcome[] = [
  "corrupt",
  "encrypted",
  "unsupported_type",
  "too_complex",
];

const row = (
  id: string,
  type: MediaTypeId,
  bytes: Buffer,
  stripOutcome: Outcome,
  expected = otherOutcomes,
): BadInput => ({
  id,
  type,
  build: () => bytes,
  expected,
  expectedFor: { "pipeline/strip-metadata": [stripOutcome] },
});

/** LibreOffice can read these files. */
const readable = [...otherOutcomes, "completes"] as const;

export const badStructures: readonly BadInput[] = [
  row("a PDF of garbage", "pdf", Buffer.from("%PDF-1.7\ngarbage"), "corrupt"),
  row("a JPEG with only a header", "jpeg", hex("ffd8ffe1ffff4578"), "corrupt"),
  row("a PNG with only a signature", "png", hex("89504e470d0a1a0a"), "corrupt"),
  // Its only directory points to itself as the next one.
  row(
    "a TIFF with a looping directory",
    "tiff",
    hex("49492a00 08000000 0000 08000000"),
    "completes",
  ),
  row("a TIFF with an offset past its end", "tiff", hex("49492a00 ffffff7f"), "corrupt"),
  row("a TIFF that declares 65,535 tags", "tiff", hex("49492a00 08000000 ffff 0001"), "corrupt"),
  row(
    "a DNG without a picture",
    "tiff",
    hex("49492a00 08000000 0100 12c6 0100 04000000 01040000 00000000"),
    "completes",
  ),
  row(
    "a WebP with a length past its end",
    "webp",
    Buffer.from("RIFF\xff\xff\0\0WEBPVP8 \xff\xff\xff\x7f", "latin1"),
    "corrupt",
  ),
  row("an MP4 with only a signature", "mp4", hex("00000010 66747970 69736f6d 00000000"), "corrupt"),
  row(
    "an MP4 box with an invalid size",
    "mp4",
    hex("00000010 6d6f6f76 00000002 74726b64"),
    "corrupt",
  ),
  row("a compressed index", "mp4", hex("00000010 6d6f6f76 00000008 636d6f76"), "unsupported_type"),
  row("a Matroska file of noise", "mkv", hex("1a45dfa3 00000000"), "corrupt"),
  row("an MP3 with only tags", "mp3", Buffer.from("ID3\x04\0\0\0\0\0\x0a0123456789"), "corrupt"),
  row("a DOCX of noise", "docx", Buffer.from("PK\x03\x04garbage"), "corrupt"),
  row(
    "a DOCX with encrypted entries",
    "docx",
    lockZip(makeZip(parts.map((part) => ({ ...part, claimedSize: 10 })))),
    "encrypted",
  ),
  row(
    "a DOCX with a path traversal",
    "docx",
    makeZip([...parts, { name: "../../x", content: "" }]),
    "corrupt",
  ),
  row(
    "a DOC with a password",
    "doc",
    makeOleFile(makeWordStreams({}, { flags: 0x300 })),
    "encrypted",
  ),
  row(
    "a DOC that contains an encrypted DOCX",
    "doc",
    makeOleFile({ EncryptedPackage: Buffer.from("x") }),
    "encrypted",
  ),
  row(
    "a DOC from Word 95",
    "doc",
    makeOleFile(makeWordStreams({}, { version: 0x68 })),
    "unsupported_type",
    readable,
  ),
  row(
    "a truncated XLS",
    "xls",
    makeOleFile({ Workbook: Buffer.alloc(9000) }).subarray(0, 3000),
    "corrupt",
  ),
  row("a PPT of noise", "ppt", Buffer.alloc(5000, 0xa5), "corrupt"),
  row("an unterminated RTF", "rtf", Buffer.from("{\\rtf1{\\info a"), "corrupt", readable),
  row(
    "an ODT with only an encrypted manifest",
    "odt",
    makeZip([{ name: "META-INF/manifest.xml", content: "<manifest:encryption-data/>" }]),
    "encrypted",
  ),
];
