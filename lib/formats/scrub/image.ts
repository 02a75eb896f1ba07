import { pngChunk } from "../png/chunks.ts";
import { orientationExif, readOrientation } from "./exif.ts";

/** Images inside documents: held whole in memory. Their pixels stay as they are. */

/** Returns `image` without its metadata; undefined if it has none, or is neither JPEG nor PNG. */
export function scrubImage(image: Buffer): Buffer | undefined {
  const signature = image.toString("latin1", 0, 8);
  const scrubbed = signature.startsWith("\xff\xd8\xff")
    ? scrubJpeg(image)
    : signature === "\x89PNG\r\n\x1a\n"
      ? scrubPng(image)
      : undefined;
  return scrubbed && scrubbed.length !== image.length ? scrubbed : undefined;
}

/** Markers of a JPEG (ITU-T T.81, table B.1). */
const marker = { exif: 0xe1, icc: 0xe2, jfif: 0xe0, adobe: 0xee, comment: 0xfe };
/** Start of scan: entropy-coded data follows its segment. */
export const scanMarker = 0xda;
/** The last marker of an image. */
export const endOfImage = 0xd9;

function scrubJpeg(image: Buffer): Buffer | undefined {
  const kept: Buffer[] = [image.subarray(0, 2)];
  let orientation: number | undefined;
  let position = 2;
  while (position + 4 <= image.length) {
    const kind = image[position + 1] ?? 0;
    if (image[position] !== 0xff) return undefined;
    if (kind === endOfImage) break;
    const length = 2 + image.readUInt16BE(position + 2);
    const segment = image.subarray(position, position + length);
    const label = segment.toString("latin1", 4, 15);
    if (kind === marker.exif && label.startsWith("Exif\0")) {
      orientation ??= readOrientation(segment.subarray(4));
    }
    if (isKeptSegment(kind, label)) kept.push(segment);
    position += length;
    if (kind !== scanMarker) continue;
    const end = findScanEnd(image, position);
    kept.push(image.subarray(position, end));
    position = end;
  }
  if (orientation) kept.splice(1, 0, exifSegment(orientation));
  return Buffer.concat([...kept, Buffer.from([0xff, endOfImage])]);
}

/**
 * Whether the segment with marker `kind` stays; `label` is the beginning of its content. The color
 * profile and the segments that define the color components stay. Other APPn segments and comments
 * are removed.
 */
export function isKeptSegment(kind: number, label: string): boolean {
  if (kind === marker.comment) return false;
  if (kind < 0xe0 || kind > 0xef) return true;
  if (kind === marker.icc) return label === "ICC_PROFILE";
  return kind === marker.adobe || (kind === marker.jfif && label.startsWith("JFIF"));
}

/** The end of entropy-coded data: the next marker that is neither a stuffed zero nor a restart. */
export function findScanEnd(image: Buffer, start: number): number {
  for (let at = image.indexOf(0xff, start); at >= 0; at = image.indexOf(0xff, at + 1)) {
    const next = image[at + 1] ?? endOfImage;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return image.length;
}

function exifSegment(orientation: number): Buffer {
  const tiff = orientationExif(orientation);
  const header = Buffer.from("\xff\xe1\0\0Exif\0\0", "latin1");
  header.writeUInt16BE(8 + tiff.length, 2);
  return Buffer.concat([header, tiff]);
}

/**
 * Chunks of a PNG that display it (PNG, third edition, 4.7, and its extensions): the pixels, also of Apple's
 * `CgBI`, transparency, color, size and place, palettes, and frames. All others are removed, because programs
 * write EXIF data, XMP and anything else under names of their own. That includes unknown critical ones:
 * readers must not show an image that has them.
 */
export const keptChunks: ReadonlySet<string> = new Set([
  ...["CgBI", "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "bKGD"],
  // The last two are names that drafts of the third edition gave to the two before them.
  ...["cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "mDCv", "cLLi"],
  ...["pHYs", "oFFs", "sTER", "hIST", "sPLT", "acTL", "fcTL", "fdAT"],
]);

function scrubPng(image: Buffer): Buffer | undefined {
  const kept: Buffer[] = [image.subarray(0, 8)];
  let hasExif = false;
  for (let position = 8; position + 12 <= image.length; ) {
    const length = 12 + image.readUInt32BE(position);
    const chunk = image.subarray(position, position + length);
    if (chunk.length < length) return undefined;
    const name = chunk.toString("latin1", 4, 8);
    if (keptChunks.has(name)) kept.push(chunk);
    else if (name === "eXIf" && !hasExif) {
      hasExif = true;
      const orientation = readOrientation(chunk.subarray(8, -4));
      if (orientation) kept.push(pngChunk("eXIf", orientationExif(orientation)));
    }
    position += length;
    if (name === "IEND") break;
  }
  return Buffer.concat(kept);
}
