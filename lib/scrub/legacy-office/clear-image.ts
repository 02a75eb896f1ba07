import { crc32 } from "node:zlib";
import { orientationExif, readOrientation } from "../exif.ts";
import { endOfImage, endOfScan, isKeptSegment, scanMarker, textChunks } from "../image.ts";
import type { Patch } from "../patch.ts";

/**
 * What empties the metadata of a JPEG or a PNG without moving a byte, with offsets from the
 * picture's own start: for pictures inside files whose other parts must stay where they are. Nothing
 * where it is neither, or broken.
 */
export function blankPicture(picture: Buffer): Patch[] {
  const mark = picture.toString("latin1", 0, 8);
  if (mark.startsWith("\xff\xd8\xff")) return blankJpeg(picture);
  return mark === "\x89PNG\r\n\x1a\n" ? blankPng(picture) : [];
}

/** An application's segment that no reader looks for. */
const unusedMarker = 0xef;

function blankJpeg(picture: Buffer): Patch[] {
  const patches: Patch[] = [];
  let position = 2;
  while (position + 4 <= picture.length) {
    const kind = picture[position + 1] ?? 0;
    if (picture[position] !== 0xff || kind === endOfImage) break;
    const end = Math.min(position + 2 + picture.readUInt16BE(position + 2), picture.length);
    const content = picture.subarray(position + 4, end);
    if (!isKeptSegment(kind, content.toString("latin1", 0, 11))) {
      const upright = content.toString("latin1", 0, 5) === "Exif\0" && keepOrientation(content, 6);
      if (!upright) patches.push({ offset: position + 1, bytes: Buffer.from([unusedMarker]) });
      patches.push({ offset: position + 4, bytes: upright || Buffer.alloc(content.length) });
    }
    position = kind === scanMarker ? endOfScan(picture, end) : end;
  }
  // Whatever is hidden behind the picture.
  const rest = position + 2;
  if (rest < picture.length) patches.push({ offset: rest, zeros: picture.length - rest });
  return patches;
}

/** `exif`, of which the first `prefix` bytes stay, with the orientation alone; undefined without one. */
function keepOrientation(exif: Buffer, prefix: number): Buffer | undefined {
  const orientation = readOrientation(exif);
  if (!orientation) return undefined;
  const tiff = orientationExif(orientation);
  if (prefix + tiff.length > exif.length) return undefined;
  const kept = Buffer.alloc(exif.length);
  exif.copy(kept, 0, 0, prefix);
  tiff.copy(kept, prefix);
  return kept;
}

/** An ancillary, private chunk that may be copied (PNG, 5.4), which no reader knows. */
const unusedChunk = "npAd";

function blankPng(picture: Buffer): Patch[] {
  const patches: Patch[] = [];
  let position = 8;
  while (position + 12 <= picture.length) {
    const length = picture.readUInt32BE(position);
    const name = picture.toString("latin1", position + 4, position + 8);
    const end = position + 12 + length;
    if (end > picture.length) return [];
    if (textChunks.has(name)) {
      const content = picture.subarray(position + 8, position + 8 + length);
      const upright = name === "eXIf" ? keepOrientation(content, 0) : undefined;
      const body = Buffer.concat([
        Buffer.from(upright ? name : unusedChunk, "latin1"),
        upright ?? Buffer.alloc(length),
      ]);
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(body));
      patches.push({ offset: position + 4, bytes: Buffer.concat([body, sum]) });
    }
    position = end;
    if (name === "IEND") break;
  }
  if (position < picture.length)
    patches.push({ offset: position, zeros: picture.length - position });
  return patches;
}
