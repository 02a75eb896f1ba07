import { crc32 } from "node:zlib";
import { orientationExif, readOrientation } from "../exif.ts";
import { endOfImage, findScanEnd, isKeptSegment, keptChunks, scanMarker } from "../image.ts";
import type { Patch } from "../patch.ts";

/**
 * Patches that clear the metadata of a JPEG or PNG and keep its length, with offsets from the start
 * of the image. For images inside files whose other parts must not move. Empty if `image` is
 * neither, or is damaged.
 */
export function clearImage(image: Buffer): Patch[] {
  const signature = image.toString("latin1", 0, 8);
  if (signature.startsWith("\xff\xd8\xff")) return clearJpeg(image);
  return signature === "\x89PNG\r\n\x1a\n" ? clearPng(image) : [];
}

/** The marker APP15, which no reader uses. */
const unusedMarker = 0xef;

function clearJpeg(image: Buffer): Patch[] {
  const patches: Patch[] = [];
  let position = 2;
  while (position + 4 <= image.length) {
    const kind = image[position + 1] ?? 0;
    if (image[position] !== 0xff || kind === endOfImage) break;
    const end = Math.min(position + 2 + image.readUInt16BE(position + 2), image.length);
    const content = image.subarray(position + 4, end);
    if (!isKeptSegment(kind, content.toString("latin1", 0, 11))) {
      const orientationOnly =
        content.toString("latin1", 0, 5) === "Exif\0" && keepOrientation(content, 6);
      if (!orientationOnly)
        patches.push({ offset: position + 1, bytes: Buffer.from([unusedMarker]) });
      patches.push({
        offset: position + 4,
        bytes: orientationOnly || Buffer.alloc(content.length),
      });
    }
    position = kind === scanMarker ? findScanEnd(image, end) : end;
  }
  // Data after the end of the image.
  const rest = position + 2;
  if (rest < image.length) patches.push({ offset: rest, zeros: image.length - rest });
  return patches;
}

/**
 * Returns `exif` with its first `prefix` bytes and only the orientation; undefined if it has none.
 */
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

/** An ancillary, private, safe-to-copy chunk (PNG, 5.4), which no reader uses. */
const unusedChunk = "npAd";
/** The animated GIF that an Office program made the PNG of, and shows instead. */
const officeAnimation = "msOG";

function clearPng(image: Buffer): Patch[] {
  const patches: Patch[] = [];
  let position = 8;
  while (position + 12 <= image.length) {
    const length = image.readUInt32BE(position);
    const name = image.toString("latin1", position + 4, position + 8);
    const end = position + 12 + length;
    if (end > image.length) return [];
    if (!keptChunks.has(name) && name !== officeAnimation) {
      const content = image.subarray(position + 8, position + 8 + length);
      const orientationOnly = name === "eXIf" ? keepOrientation(content, 0) : undefined;
      const body = Buffer.concat([
        Buffer.from(orientationOnly ? name : unusedChunk, "latin1"),
        orientationOnly ?? Buffer.alloc(length),
      ]);
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(body));
      patches.push({ offset: position + 4, bytes: Buffer.concat([body, sum]) });
    }
    position = end;
    if (name === "IEND") break;
  }
  if (position < image.length) patches.push({ offset: position, zeros: image.length - position });
  return patches;
}
