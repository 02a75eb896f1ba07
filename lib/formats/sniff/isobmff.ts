import type { ByteSource } from "#lib/media/byte-source.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { type Box, walkBoxes } from "../iso-boxes/iso-boxes.ts";

/** ISO base media files (ISO/IEC 14496-12) and QuickTime. */

/** Brands of HEIF images coded with HEVC, or with a codec that the brand leaves open. */
const heicBrands = /^(hei[cxms]|hev[cxms]|mif[12]|msf1)$/;
/** Still images of this family that are not HEIF. The signature box before decides for most files. */
const imageBrands: Readonly<Record<string, MediaTypeId>> = {
  "crx ": "raw",
  "jp2 ": "jp2",
  "jpx ": "jp2",
  jpxb: "jp2",
  "jxl ": "jxl",
};
/** Formats of this family that are not supported: compound documents, Motion JPEG 2000. */
const unsupportedBrands = /^(jpm |mjp2|mj2s)$/;
const audioBrands = /^(M4[ABP] |F4[AB] )$/;
/** The first box of a QuickTime file from before `ftyp`. */
const quickTimeStart = /^(moov|mdat|wide|free|skip|pnot)$/;
const quickTimeBoxes = /^(moov|mdat|wide|free|skip|pnot|udta|uuid|PICT)$/;

/** The boxes of one level that are read at most. */
const maxBoxes = 256;
/** The boxes before a QuickTime file's header or data that are read at most. */
const maxLeadingBoxes = 16;

/** Detects MP4, MOV, M4A, 3GP, AVIF and HEIC by brand and, where they can be read, by the tracks. */
export async function detectIsobmff(source: ByteSource): Promise<MediaTypeId | undefined> {
  const first = source.head.toString("latin1", 4, 8);
  if (quickTimeStart.test(first)) return (await isQuickTime(source)) ? "mov" : undefined;
  if (first !== "ftyp") return undefined;
  const length = Math.min(source.head.readUInt32BE(0), 1024, source.head.length);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= length; at += 4) {
    if (at !== 12) brands.push(source.head.toString("latin1", at, at + 4)); // 12: the minor version
  }
  const [major] = brands;
  if (major === undefined || unsupportedBrands.test(major)) return "unknown";
  if (imageBrands[major]) return imageBrands[major];
  if (/^avi[fs]$/.test(major)) return "avif";
  if (heicBrands.test(major)) return brands.includes("avif") ? "avif" : "heic";
  if (major === "qt  ") return "mov";
  if (/^3g[pgers2]/.test(major)) return "3gp";
  const tracks = await readTracks(source);
  if (tracks.includes("vide")) return "mp4";
  return audioBrands.test(major) || tracks.includes("soun") ? "m4a" : "mp4";
}

async function isQuickTime(source: ByteSource): Promise<boolean> {
  let count = 0;
  for await (const box of readableBoxes(source, 0, source.size ?? Number.POSITIVE_INFINITY)) {
    if (!quickTimeBoxes.test(box.type)) return false;
    if (box.type === "moov" || box.type === "mdat") return true;
    if (++count > maxLeadingBoxes) return false;
  }
  return false;
}

/** The handler of each track (`vide`, `soun`, …); none if the file's header cannot be read. */
async function readTracks(source: ByteSource): Promise<string[]> {
  const handlers: string[] = [];
  const movie = await findBox(source, "moov", 0, source.size ?? source.head.length);
  if (!movie) return handlers;
  for await (const track of readableBoxes(source, movie.content, movie.end)) {
    if (track.type !== "trak") continue;
    const media = await findBox(source, "mdia", track.content, track.end);
    const handler = media && (await findBox(source, "hdlr", media.content, media.end));
    // The version, the flags and a QuickTime field are before it.
    if (handler) handlers.push((await source.read(handler.content + 8, 4)).toString("latin1"));
  }
  return handlers;
}

async function findBox(source: ByteSource, type: string, start: number, end: number) {
  for await (const box of readableBoxes(source, start, end)) if (box.type === type) return box;
  return undefined;
}

/**
 * The first 256 boxes, cut at the end of their parent, up to one with an impossible size. `readBoxes` rejects
 * such a file, but often only its beginning is known when its type is detected.
 */
async function* readableBoxes(source: ByteSource, start: number, end: number): AsyncGenerator<Box> {
  let count = 0;
  for await (const box of walkBoxes(source, start, end)) {
    if (box.end < box.content) return;
    yield { ...box, end: Math.min(box.end, end) };
    if (++count === maxBoxes) return;
  }
}
