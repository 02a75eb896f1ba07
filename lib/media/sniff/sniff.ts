import { fileTypeFromBuffer } from "file-type";
import { type ByteSource, sourceOfBytes, withFileSource } from "../byte-source.ts";
import { type MediaType, type MediaTypeId, mediaType } from "../types.ts";
import { tellFrames, tellOgg } from "./audio.ts";
import { tellBoxes } from "./boxes.ts";
import { tellOle } from "./ole.ts";
import { readLegacyText, readText, type SniffHints, tellText } from "./text.ts";
import { tellZip } from "./zip.ts";

export { headBytes } from "../byte-source.ts";
export type { SniffHints } from "./text.ts";

/**
 * The type of the file at `path`, by its content; reads its first 64 KiB and, where that does not
 * tell, an archive's directory, an OLE file's or a film's header. `unknown` is an answer too.
 */
export async function sniffFile(path: string, hints: SniffHints = {}): Promise<MediaType> {
  return withFileSource(path, async (source) => mediaType(await tell(source, hints)));
}

/**
 * The type by the first 64 KiB, or all of a shorter file. Where the head of a longer one leaves
 * open which office file it is, the name's extension is taken at its word; `sniffFile` is not so kind.
 */
export async function sniffBytes(head: Uint8Array, hints: SniffHints = {}): Promise<MediaType> {
  return mediaType(await tell(sourceOfBytes(head), hints));
}

async function tell(source: ByteSource, hints: SniffHints): Promise<MediaTypeId> {
  const { head } = source;
  const isWhole = source.size === head.length;
  const marked = tellMarked(head);
  if (marked) return marked;
  // Before all binary signatures: some have two letters, with which a text may begin.
  const text = readText(head, isWhole);
  if (text !== undefined) return head.length > 0 ? tellText(text, isWhole, hints) : "unknown";
  const told =
    tellRiff(head) ??
    tellOgg(source) ??
    (await tellBoxes(source)) ??
    (await tellZip(source, hints)) ??
    (await tellOle(source, hints)) ??
    (await tellByLibrary(head)) ??
    tellTransportStream(head) ??
    (await tellFrames(source)) ??
    tellLatePdf(head);
  if (told) return told;
  const legacy = readLegacyText(head);
  if (legacy !== undefined) return tellText(legacy, isWhole, hints);
  // Pages with a stray control character are pages to every browser.
  return /^\s*<(!doctype html|html)[\s>]/i.test(head.toString("latin1", 0, 200))
    ? "html"
    : "unknown";
}

function tellMarked(head: Buffer): MediaTypeId | undefined {
  const start = head.toString("latin1", 0, 16).replace(/^(\xef\xbb\xbf)?\s*/, "");
  if (start.startsWith("%PDF-")) return "pdf";
  return start.startsWith("{\\rtf") ? "rtf" : undefined;
}

/** Readers look for a PDF's header in its first 1024 bytes (ISO 32000-1, annex H). */
function tellLatePdf(head: Buffer): MediaTypeId | undefined {
  return head.subarray(0, 1024).includes("%PDF-") ? "pdf" : undefined;
}

function tellRiff(head: Buffer): MediaTypeId | undefined {
  const id = head.toString("latin1", 0, 4);
  const form = head.toString("latin1", 8, 12);
  if (/^(RIFF|RF64|BW64)$/.test(id) && form === "WAVE") return "wav";
  if (id !== "RIFF") return undefined;
  return form === "AVI " ? "avi" : form === "WEBP" ? "webp" : "unknown";
}

/** Packets of 188 bytes that begin with 0x47; on Blu-ray each has 4 bytes of time before it. */
function tellTransportStream(head: Buffer): MediaTypeId | undefined {
  const isStream = (first: number, step: number) => {
    const wanted = Math.min(5, Math.floor((head.length - first) / step));
    const found = Array.from({ length: wanted }, (_, packet) => head[first + packet * step]);
    return wanted >= 2 && found.every((byte) => byte === 0x47);
  };
  return isStream(0, 188) || isStream(4, 192) ? "mpegts" : undefined;
}

/** What the library calls the types that it tells well enough for us. */
const byLibraryExtension: Readonly<Record<string, MediaTypeId>> = {
  jpg: "jpeg",
  png: "png",
  apng: "png",
  gif: "gif",
  tif: "tiff",
  bmp: "bmp",
  mkv: "mkv",
  webm: "webm",
  mpg: "mpeg",
  flv: "flv",
  asf: "wmv",
  flac: "flac",
};

async function tellByLibrary(head: Buffer): Promise<MediaTypeId | undefined> {
  // It would inflate what is compressed to look inside.
  if (head[0] === 0x1f && head[1] === 0x8b) return "unknown";
  const found = await fileTypeFromBuffer(head);
  const id = byLibraryExtension[found?.ext ?? ""];
  if (id === "bmp" && !isBitmap(head)) return undefined;
  if (!found && /^(II(\*|\+)\0|MM\0(\*|\+))/.test(head.toString("latin1", 0, 4))) return "tiff";
  return id;
}

/** Two letters are little: the header that follows must have one of the lengths that there are. */
function isBitmap(head: Buffer): boolean {
  const lengths = [12, 16, 40, 52, 56, 64, 108, 124];
  return head.length >= 18 && lengths.includes(head.readUInt32LE(14));
}
