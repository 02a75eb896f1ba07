import type { MediaTypeId } from "#lib/media/types.ts";
import { makeCompound } from "../samples/compound.ts";
import { wordStreams } from "../samples/word-binary.ts";
import { makeZip } from "../samples/zip.ts";
import type { Answer, BadInput } from "./bad-input.ts";

/** Files whose structure leads nowhere: what takes them apart to remove metadata answers exactly. */

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

/** What others than the remover of metadata answer depends on how far they read. */
const others: readonly Answer[] = ["corrupt", "encrypted", "unsupported_type", "too_complex"];

const row = (
  id: string,
  type: MediaTypeId,
  bytes: Buffer,
  answer: Answer,
  answers = others,
): BadInput => ({
  ...{ id, type, build: () => bytes, answers },
  except: { "pipeline/strip-metadata": [answer] },
});

/** What LibreOffice reads for all that. */
const read = [...others, "completes"] as const;

export const badStructures: readonly BadInput[] = [
  row("a PDF of garbage", "pdf", Buffer.from("%PDF-1.7\ngarbage"), "corrupt"),
  row("a JPEG of its header alone", "jpeg", hex("ffd8ffe1ffff4578"), "corrupt"),
  row("a PNG of its mark alone", "png", hex("89504e470d0a1a0a"), "corrupt"),
  // Its only directory names itself as the next one.
  row("a TIFF in a loop", "tiff", hex("49492a00 08000000 0000 08000000"), "completes"),
  row("a TIFF past its end", "tiff", hex("49492a00 ffffff7f"), "corrupt"),
  row("a TIFF of 65,535 tags", "tiff", hex("49492a00 08000000 ffff 0001"), "corrupt"),
  row(
    "a raw photograph",
    "tiff",
    hex("49492a00 08000000 0100 12c6 0100 04000000 01040000 00000000"),
    "unsupported_type",
  ),
  row(
    "a WebP past its end",
    "webp",
    Buffer.from("RIFF\xff\xff\0\0WEBPVP8 \xff\xff\xff\x7f", "latin1"),
    "corrupt",
  ),
  row("an MP4 of its mark alone", "mp4", hex("00000010 66747970 69736f6d 00000000"), "corrupt"),
  row("a box of no size", "mp4", hex("00000010 6d6f6f76 00000002 74726b64"), "corrupt"),
  row("a packed index", "mp4", hex("00000010 6d6f6f76 00000008 636d6f76"), "unsupported_type"),
  row("a Matroska file of noise", "mkv", hex("1a45dfa3 00000000"), "corrupt"),
  row("an MP3 of tags alone", "mp3", Buffer.from("ID3\x04\0\0\0\0\0\x0a0123456789"), "corrupt"),
  row("a DOCX of noise", "docx", Buffer.from("PK\x03\x04garbage"), "corrupt"),
  row(
    "a DOCX of parts with a password",
    "docx",
    lockZip(makeZip(parts.map((part) => ({ ...part, claimedSize: 10 })))),
    "encrypted",
  ),
  row(
    "a DOCX that leads out",
    "docx",
    makeZip([...parts, { name: "../../x", content: "" }]),
    "corrupt",
  ),
  row("a DOC with a password", "doc", makeCompound(wordStreams({}, { flags: 0x300 })), "encrypted"),
  row(
    "a DOC that is a packed DOCX",
    "doc",
    makeCompound({ EncryptedPackage: Buffer.from("x") }),
    "encrypted",
  ),
  row(
    "a DOC from Word 95",
    "doc",
    makeCompound(wordStreams({}, { version: 0x68 })),
    "unsupported_type",
    read,
  ),
  row(
    "an XLS that is cut off",
    "xls",
    makeCompound({ Workbook: Buffer.alloc(9000) }).subarray(0, 3000),
    "corrupt",
  ),
  row("a PPT of noise", "ppt", Buffer.alloc(5000, 0xa5), "corrupt"),
  row("an RTF that does not end", "rtf", Buffer.from("{\\rtf1{\\info a"), "corrupt", read),
  row(
    "an ODT with a password and little else",
    "odt",
    makeZip([{ name: "META-INF/manifest.xml", content: "<manifest:encryption-data/>" }]),
    "encrypted",
  ),
];
