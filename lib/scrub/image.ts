import { crc32 } from "node:zlib";
import { orientationExif, readOrientation } from "./exif.ts";

/** Pictures inside documents: small, whole in memory, and cleaned without touching what is drawn. */

/** `picture` without its metadata; undefined where it has none, or is neither JPEG nor PNG. */
export function cleanPicture(picture: Buffer): Buffer | undefined {
  const mark = picture.toString("latin1", 0, 8);
  const cleaned = mark.startsWith("\xff\xd8\xff")
    ? cleanJpeg(picture)
    : mark === "\x89PNG\r\n\x1a\n"
      ? cleanPng(picture)
      : undefined;
  return cleaned && cleaned.length !== picture.length ? cleaned : undefined;
}

/** Markers of a JPEG (ITU-T T.81, table B.1). */
const marker = { exif: 0xe1, icc: 0xe2, jfif: 0xe0, adobe: 0xee, comment: 0xfe };
export const scanMarker = 0xda;
export const endOfImage = 0xd9;

function cleanJpeg(picture: Buffer): Buffer | undefined {
  const kept: Buffer[] = [picture.subarray(0, 2)];
  let orientation: number | undefined;
  let position = 2;
  while (position + 4 <= picture.length) {
    const kind = picture[position + 1] ?? 0;
    if (picture[position] !== 0xff) return undefined;
    if (kind === endOfImage) break;
    const length = 2 + picture.readUInt16BE(position + 2);
    const segment = picture.subarray(position, position + length);
    const label = segment.toString("latin1", 4, 15);
    if (kind === marker.exif && label.startsWith("Exif\0")) {
      orientation ??= readOrientation(segment.subarray(4));
    }
    if (isKeptSegment(kind, label)) kept.push(segment);
    position += length;
    if (kind !== scanMarker) continue;
    const end = endOfScan(picture, position);
    kept.push(picture.subarray(position, end));
    position = end;
  }
  if (orientation) kept.splice(1, 0, exifSegment(orientation));
  return Buffer.concat([...kept, Buffer.from([0xff, endOfImage])]);
}

/**
 * Whether a segment of this marker and with this beginning stays: the colour profile and what says
 * how components are to be read do; other APPn and comments go.
 */
export function isKeptSegment(kind: number, label: string): boolean {
  if (kind === marker.comment) return false;
  if (kind < 0xe0 || kind > 0xef) return true;
  if (kind === marker.icc) return label === "ICC_PROFILE";
  return kind === marker.adobe || (kind === marker.jfif && label.startsWith("JFIF"));
}

/** Coded data goes on to the next marker that is neither a stuffed zero nor a restart. */
export function endOfScan(picture: Buffer, start: number): number {
  for (let at = picture.indexOf(0xff, start); at >= 0; at = picture.indexOf(0xff, at + 1)) {
    const next = picture[at + 1] ?? endOfImage;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return picture.length;
}

function exifSegment(orientation: number): Buffer {
  const tiff = orientationExif(orientation);
  const header = Buffer.from("\xff\xe1\0\0Exif\0\0", "latin1");
  header.writeUInt16BE(8 + tiff.length, 2);
  return Buffer.concat([header, tiff]);
}

/** Chunks of a PNG that tell of it. */
export const textChunks = new Set(["tEXt", "zTXt", "iTXt", "tIME", "eXIf"]);

function cleanPng(picture: Buffer): Buffer | undefined {
  const kept: Buffer[] = [picture.subarray(0, 8)];
  for (let position = 8; position + 12 <= picture.length; ) {
    const length = 12 + picture.readUInt32BE(position);
    const chunk = picture.subarray(position, position + length);
    if (chunk.length < length) return undefined;
    const name = chunk.toString("latin1", 4, 8);
    const orientation = name === "eXIf" ? readOrientation(chunk.subarray(8, -4)) : undefined;
    if (orientation) kept.push(pngChunk("eXIf", orientationExif(orientation)));
    if (!textChunks.has(name)) kept.push(chunk);
    position += length;
    if (name === "IEND") break;
  }
  return Buffer.concat(kept);
}

function pngChunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(content.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), chunk.length - 4);
  return chunk;
}
