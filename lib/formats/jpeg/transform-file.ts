import type { Transform } from "#lib/media/transform.ts";
import { componentsOfUnit, decodeBlocks, unitSize } from "./decode-blocks.ts";
import { transformExif } from "./exif.ts";
import { placeAfter, swapQuantization, transformBlocks } from "./move-blocks.ts";
import { removePreviews } from "./previews.ts";
import {
  isFrame,
  type JpegHeader,
  type JpegSegment,
  markers,
  readJpegHeader,
  startsWith,
} from "./read-header.ts";
import { writeJpeg } from "./write-jpeg.ts";

/** The difference of two DC coefficients of this size has a Huffman symbol. */
const largestDc = 16_383;

/**
 * A JPEG file after `transform`, without loss: its blocks of coefficients, moved and encoded again with
 * Huffman codes, and its metadata. `orientation` is that of its EXIF data, 1 without; the result has
 * the orientation 1. Undefined if a reversed axis is no multiple of a unit of blocks (8 or 16 pixels),
 * whose last unit has samples that are not shown, if the file is not sequential, or if it is damaged.
 */
export function transformJpegFile(
  file: Buffer,
  orientation: number,
  transform: Transform,
): Buffer | undefined {
  const header = readJpegHeader(file);
  if (!header || !fitsGrid(header, transform)) return undefined;
  const segments = transformSegments(header.segments, orientation, transform);
  if (!segments) return undefined;
  const unit = unitSize(header);
  const columns = Math.ceil(header.width / unit.width);
  const rows = Math.ceil(header.height / unit.height);
  const box = { left: 0, top: 0, width: columns, height: rows };
  const place = placeAfter(header, { columns, rows }, transform);
  const blocks = decodeBlocks(file, header, box, place);
  if (!blocks || !canEncode(blocks)) return undefined;
  transformBlocks(blocks, transform);
  // A component has as many blocks in a unit as before.
  return writeJpeg(segments, blocks, componentsOfUnit(header));
}

function fitsGrid(header: JpegHeader, { reversesColumns, reversesRows }: Transform): boolean {
  const unit = unitSize(header);
  const fitsAcross = !reversesColumns || header.width % unit.width === 0;
  return fitsAcross && (!reversesRows || header.height % unit.height === 0);
}

function canEncode(blocks: Int16Array): boolean {
  for (let start = 0; start < blocks.length; start += 64) {
    if (Math.abs(blocks[start] ?? 0) > largestDc) return false;
  }
  return true;
}

/** Undefined if the EXIF data has another orientation than `orientation`, or a table is damaged. */
function transformSegments(
  segments: readonly JpegSegment[],
  orientation: number,
  { swapsAxes }: Transform,
): JpegSegment[] | undefined {
  const transformed: JpegSegment[] = [];
  let foundOrientation = 1;
  for (const segment of removePreviews(segments)) {
    const { marker, content } = segment;
    if (marker === markers.app1 && startsWith(content, "Exif\0\0")) {
      const exif = transformExif(content, swapsAxes);
      foundOrientation = exif.orientation;
      transformed.push({ marker, content: exif.content });
    } else if (marker === markers.app0 && startsWith(content, "JFIF\0")) {
      transformed.push({ marker, content: transformJfif(content, swapsAxes) });
    } else if (marker === markers.dqt && swapsAxes) {
      const swapped = swapQuantization(content);
      if (!swapped) return undefined;
      transformed.push({ marker, content: swapped });
    } else if (isFrame(segment) && swapsAxes) {
      transformed.push({ marker, content: swapFrame(content) });
    } else {
      transformed.push(segment);
    }
  }
  return foundOrientation === orientation ? transformed : undefined;
}

/** With both resolutions exchanged if the axes are. */
function transformJfif(content: Buffer, swapsAxes: boolean): Buffer {
  if (content.length < 14 || !swapsAxes) return content;
  const moved = Buffer.from(content);
  content.copy(moved, 8, 10, 12);
  content.copy(moved, 10, 8, 10);
  return moved;
}

/** Width and height exchanged, also those of the blocks of each component in a unit. */
function swapFrame(content: Buffer): Buffer {
  const swapped = Buffer.from(content);
  content.copy(swapped, 1, 3, 5);
  content.copy(swapped, 3, 1, 3);
  for (let at = 7; at < content.length; at += 3) {
    const sampling = content[at] ?? 0;
    swapped[at] = (sampling & 15) * 16 + (sampling >> 4);
  }
  return swapped;
}
