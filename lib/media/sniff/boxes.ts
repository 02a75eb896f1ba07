import type { ByteSource } from "../byte-source.ts";
import type { MediaTypeId } from "../types.ts";

/** The family of ISO base media files (ISO/IEC 14496-12) and QuickTime: boxes in boxes. */

interface Box {
  readonly type: string;
  /** Of what is inside the box, and where that ends. */
  readonly start: number;
  readonly end: number;
}

/** Brands of HEIF images coded with HEVC, or with a codec that the brand leaves open. */
const heicBrands = /^(hei[cxms]|hev[cxms]|mif[12]|msf1)$/;
/** Raw photographs, JPEG 2000 and Motion JPEG 2000: the family's members that are not sold. */
const otherBrands = /^(crx |jp2 |jpx |jpm |jpxb|mjp2|mj2s|jxl )$/;
const audioBrands = /^(M4[ABP] |F4[AB] )$/;
/** What a QuickTime film from before `ftyp` may begin with. */
const filmBoxes = /^(moov|mdat|wide|free|skip|pnot)$/;

const maxBoxes = 256;

/** Tells MP4, MOV, M4A, 3GP, AVIF and HEIC by brand and, where within reach, by the tracks. */
export async function tellBoxes(source: ByteSource): Promise<MediaTypeId | undefined> {
  const first = source.head.toString("latin1", 4, 8);
  if (filmBoxes.test(first)) return (await isFilm(source)) ? "mov" : undefined;
  if (first !== "ftyp") return undefined;
  const length = Math.min(source.head.readUInt32BE(0), 1024, source.head.length);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= length; at += 4) {
    if (at !== 12) brands.push(source.head.toString("latin1", at, at + 4)); // 12: the minor version
  }
  const [major] = brands;
  if (major === undefined || otherBrands.test(major)) return "unknown";
  if (/^avi[fs]$/.test(major)) return "avif";
  if (heicBrands.test(major)) return brands.includes("avif") ? "avif" : "heic";
  if (major === "qt  ") return "mov";
  if (/^3g[pgers2]/.test(major)) return "3gp";
  const tracks = await readTracks(source);
  if (tracks.includes("vide")) return "mp4";
  return audioBrands.test(major) || tracks.includes("soun") ? "m4a" : "mp4";
}

async function isFilm(source: ByteSource): Promise<boolean> {
  let count = 0;
  for await (const box of boxes(source, 0, source.size ?? Number.POSITIVE_INFINITY)) {
    if (!/^(moov|mdat|wide|free|skip|pnot|udta|uuid|PICT)$/.test(box.type)) return false;
    if (box.type === "moov" || box.type === "mdat") return true;
    if (++count > 16) return false;
  }
  return false;
}

/** The handler of each track (`vide`, `soun`, …); none if the film's header is out of reach. */
async function readTracks(source: ByteSource): Promise<string[]> {
  const handlers: string[] = [];
  const film = await findBox(source, "moov", 0, source.size ?? source.head.length);
  if (!film) return handlers;
  for await (const track of boxes(source, film.start, film.end)) {
    if (track.type !== "trak") continue;
    const media = await findBox(source, "mdia", track.start, track.end);
    const handler = media && (await findBox(source, "hdlr", media.start, media.end));
    // Version and flags, then a field of QuickTime's, come before it.
    if (handler) handlers.push((await source.read(handler.start + 8, 4)).toString("latin1"));
  }
  return handlers;
}

async function findBox(source: ByteSource, type: string, start: number, end: number) {
  for await (const box of boxes(source, start, end)) if (box.type === type) return box;
  return undefined;
}

async function* boxes(source: ByteSource, start: number, end: number): AsyncGenerator<Box> {
  let at = start;
  for (let count = 0; count < maxBoxes && at + 8 <= end; count++) {
    const header = await source.read(at, 16);
    if (header.length < 8) return;
    const short = header.readUInt32BE(0);
    const isLong = short === 1 && header.length === 16;
    const length = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    const inside = isLong ? 16 : 8;
    if (length < inside) return;
    yield {
      type: header.toString("latin1", 4, 8),
      start: at + inside,
      end: Math.min(at + length, end),
    };
    at += length;
  }
}
