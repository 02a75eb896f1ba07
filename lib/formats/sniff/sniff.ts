import { fileTypeFromBuffer } from "file-type";
import {
  type ByteSource,
  type SizedReader,
  sourceOfBytes,
  sourceOfReader,
  withFileSource,
} from "#lib/media/byte-source.ts";
import { type MediaType, type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { detectArchive } from "./archive.ts";
import { detectFrames, detectOgg } from "./audio.ts";
import { detectIsobmff } from "./isobmff.ts";
import { isMail } from "./mail.ts";
import { detectCompressedOffice, detectOfficeBinary } from "./office-binary.ts";
import { detectOle } from "./ole.ts";
import { detectText, readLegacyText, readText, type SniffHints } from "./text.ts";
import { detectZip } from "./zip.ts";

export { headBytes } from "#lib/media/byte-source.ts";
export type { SniffHints } from "./text.ts";

/**
 * Detects the type of the file at `path` by its content. Reads the first 64 KiB and, if these are not
 * enough, the directory of an archive or OLE file or the header of a video. May return `unknown`.
 */
export async function sniffFile(path: string, hints: SniffHints = {}): Promise<MediaType> {
  return withFileSource(path, async (source) => mediaType(await detect(source, hints)));
}

/**
 * Detects the type of a file that is not on disk, like `sniffFile`, but does not read the directory of
 * a ZIP archive: which office format it has is decided by its head.
 */
export async function sniffReader(reader: SizedReader, hints: SniffHints = {}): Promise<MediaType> {
  return mediaType(await detect(await sourceOfReader(reader), hints));
}

/**
 * Detects the type by the first 64 KiB, or all of a shorter file. Every rule takes linear time, at most about
 * 2 ms for hostile bytes, so that the web process can wait for it. If the head of a longer file does
 * not show which office format it has, the extension of its name decides, unlike in `sniffFile`.
 */
export async function sniffBytes(head: Uint8Array, hints: SniffHints = {}): Promise<MediaType> {
  return mediaType(await detect(sourceOfBytes(head), hints));
}

async function detect(source: ByteSource, hints: SniffHints): Promise<MediaTypeId> {
  const { head } = source;
  const isWhole = source.size === head.length;
  const marked = detectMarked(head);
  if (marked) return marked;
  if (isKeyStore(head)) return "p12";
  // Its parts may have any encoding, and binary content.
  if (isMail(head)) return "eml";
  // Before all binary signatures: some have two letters, and a text may begin with them.
  const text = readText(head, isWhole);
  if (text !== undefined) return head.length > 0 ? detectText(text, isWhole, hints) : "unknown";
  const detected =
    detectRiff(head) ??
    detectOfficeBinary(head, source.size) ??
    detectCompressedOffice(head) ??
    detectArchive(head) ??
    detectImage(head) ??
    detectOgg(source) ??
    (await detectIsobmff(source)) ??
    (await detectZip(source, hints)) ??
    (await detectOle(source, hints)) ??
    (await detectByLibrary(head)) ??
    detectTransportStream(head) ??
    detectAudio(head) ??
    (await detectFrames(source)) ??
    detectLatePdf(head);
  if (detected) return detected;
  const legacy = readLegacyText(head);
  if (legacy !== undefined) return detectText(legacy, isWhole, hints);
  // Browsers accept pages that contain a control character.
  return /^\s*<(!doctype html|html)[\s>]/i.test(head.toString("latin1", 0, 200))
    ? "html"
    : "unknown";
}

function detectMarked(head: Buffer): MediaTypeId | undefined {
  const start = head.toString("latin1", 0, 16).replace(/^(\xef\xbb\xbf)?\s*/, "");
  if (start.startsWith("%PDF-")) return "pdf";
  // Its frames may look like text.
  if (/^#!AMR(-WB)?\n/.test(start)) return "amr";
  return start.startsWith("{\\rtf") ? "rtf" : undefined;
}

/** A PKCS#12 file: a sequence with the version number 3, and another sequence (RFC 7292, 4). */
function isKeyStore(head: Buffer): boolean {
  return /^30(80|81..|82.{4}|83.{6})02010330/.test(head.toString("hex", 0, 12));
}

/** Readers search the first 1024 bytes for the header of a PDF (ISO 32000-1, annex H). */
function detectLatePdf(head: Buffer): MediaTypeId | undefined {
  return head.subarray(0, 1024).includes("%PDF-") ? "pdf" : undefined;
}

function detectRiff(head: Buffer): MediaTypeId | undefined {
  const id = head.toString("latin1", 0, 4);
  const form = head.toString("latin1", 8, 12);
  if (/^(RIFF|RF64|BW64)$/.test(id) && form === "WAVE") return "wav";
  if (id !== "RIFF") return undefined;
  return form === "AVI " ? "avi" : form === "WEBP" ? "webp" : "unknown";
}

/** JPEG XL and JPEG 2000, each in its container or as a bare codestream, and ICO. */
function detectImage(head: Buffer): MediaTypeId | undefined {
  const start = head.toString("hex", 0, 12);
  if (start.startsWith("ff0a") || start === "0000000c4a584c200d0a870a") return "jxl";
  if (start.startsWith("ff4fff51") || start === "0000000c6a5020200d0a870a") return "jp2";
  return isIcon(head) ? "ico" : undefined;
}

/** An ICO file has no signature but a directory, whose first entry must be plausible. */
function isIcon(head: Buffer): boolean {
  if (head.length < 22 || head.readUInt32LE(0) !== 0x00010000) return false;
  const count = head.readUInt16LE(4);
  const bytes = head.readUInt32LE(14);
  const offset = head.readUInt32LE(18);
  return count >= 1 && count <= 256 && head[9] === 0 && bytes >= 40 && offset >= 6 + 16 * count;
}

/** Packets of 188 bytes that begin with 0x47; on Blu-ray a 4-byte timestamp precedes each one. */
function detectTransportStream(head: Buffer): MediaTypeId | undefined {
  const isStream = (first: number, step: number) => {
    const wanted = Math.min(5, Math.floor((head.length - first) / step));
    const found = Array.from({ length: wanted }, (_, packet) => head[first + packet * step]);
    return wanted >= 2 && found.every((byte) => byte === 0x47);
  };
  return isStream(0, 188) || isStream(4, 192) ? "mpegts" : undefined;
}

/** Audio and MXF files by their signatures. */
function detectAudio(head: Buffer): MediaTypeId | undefined {
  const start = head.toString("latin1", 0, 12);
  if (/^FORM[\s\S]{4}AIF[FC]/.test(start)) return "aiff";
  if (start.startsWith("caff\0\x01")) return "caf";
  if (start.startsWith("wvpk")) return "wv";
  if (head.toString("hex", 0, 11) === "060e2b34020501010d0102") return "mxf";
  // The sync word of AC-3 and E-AC-3, at the start of two frames in turn.
  const isFrame = (at: number) => head.length > at + 6 && head.readUInt16BE(at) === 0x0b77;
  return isFrame(0) && isFrame(ac3FrameBytes(head)) ? "ac3" : undefined;
}

/** Bit rates of AC-3 in kbit/s by header index (ATSC A/52, table 5.18). */
const ac3BitRates = [
  32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
];

/** The length of the first frame of AC-3 or E-AC-3. */
function ac3FrameBytes(head: Buffer): number {
  const isEnhanced = head.readUInt8(5) >> 3 > 10;
  if (isEnhanced) return ((head.readUInt16BE(2) & 0x7ff) + 1) * 2;
  const code = head.readUInt8(4);
  const rate = ac3BitRates[(code & 0x3f) >> 1] ?? 0;
  switch (code >> 6) {
    case 0:
      return rate * 4;
    case 1:
      return (Math.floor((rate * 96_000) / 44_100) + (code & 1)) * 2;
    default:
      return rate * 6;
  }
}

/** The extensions of the types that file-type detects reliably. */
const byLibraryExtension: Readonly<Record<string, MediaTypeId>> = {
  jpg: "jpeg",
  png: "png",
  apng: "png",
  gif: "gif",
  tif: "tiff",
  bmp: "bmp",
  cr2: "raw",
  nef: "raw",
  arw: "raw",
  dng: "dng",
  raf: "raw",
  orf: "raw",
  rw2: "raw",
  mkv: "mkv",
  webm: "webm",
  mpg: "mpeg",
  flv: "flv",
  asf: "wmv",
  flac: "flac",
};

async function detectByLibrary(head: Buffer): Promise<MediaTypeId | undefined> {
  // The library would decompress gzip data.
  if (head[0] === 0x1f && head[1] === 0x8b) return "unknown";
  const found = await fileTypeFromBuffer(head);
  const id = byLibraryExtension[found?.ext ?? ""];
  if (id === "bmp" && !isBitmap(head)) return undefined;
  if (!found && /^(II(\*|\+)\0|MM\0(\*|\+))/.test(head.toString("latin1", 0, 4))) return "tiff";
  return id === "wmv" && !hasAsfVideo(head) ? "wma" : id;
}

/** The stream type of video in ASF (ASF specification, 10.4). */
const asfVideo = Buffer.from("c0ef19bc4d5bcf11a8fd00805f5c442b", "hex");

/** Whether an ASF file declares a video stream; the declarations are at its start. */
function hasAsfVideo(head: Buffer): boolean {
  return head.includes(asfVideo);
}

/** The signature has only two letters, so the length of the header must be valid, too. */
function isBitmap(head: Buffer): boolean {
  const lengths = [12, 16, 40, 52, 56, 64, 108, 124];
  return head.length >= 18 && lengths.includes(head.readUInt32LE(14));
}
