import type { Transform } from "#lib/media/transform.ts";
import { transformExif } from "./exif.ts";
import {
  type JpegFile,
  type JpegSegment,
  markers,
  readJpeg,
  startsWith,
  writeJpeg,
} from "./jpeg-file.ts";
import { removePreviews } from "./previews.ts";

/** A part of an image, in pixels. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A JPEG whose metadata is that of the changed image. Its pixels have still to be changed. */
export interface PreparedJpeg {
  readonly bytes: Buffer;
  readonly isProgressive: boolean;
}

/**
 * Prepares a JPEG for `transform` without loss: without previews, which show the image as it was, and with
 * the EXIF orientation 1. `orientation` is that of its EXIF data, 1 without. Undefined if a reversed axis
 * is no multiple of a unit of blocks (8 or 16 pixels), whose last unit has samples that are not shown, or if
 * its structure cannot be read.
 */
export function prepareTransform(
  file: Buffer,
  orientation: number,
  transform: Transform,
): PreparedJpeg | undefined {
  const jpeg = readJpeg(file);
  if (!jpeg || !fitsGrid(jpeg, transform)) return undefined;
  const segments = transformSegments(jpeg.segments, orientation, transform);
  return segments && { bytes: writeJpeg(segments), isProgressive: jpeg.isProgressive };
}

/**
 * Prepares a JPEG for a crop to `box` without loss: without previews. Undefined if the top left corner of
 * the box is not that of a unit of blocks, or if the structure of the file cannot be read. The box is in the
 * stored pixels, and inside.
 */
export function prepareCrop(file: Buffer, box: Box): PreparedJpeg | undefined {
  const jpeg = readJpeg(file);
  if (!jpeg) return undefined;
  const { segments, unit, isProgressive } = jpeg;
  if (box.left % unit.width !== 0 || box.top % unit.height !== 0) return undefined;
  return { bytes: writeJpeg(removePreviews(segments)), isProgressive };
}

function fitsGrid({ width, height, unit }: JpegFile, transform: Transform): boolean {
  const { reversesColumns, reversesRows } = transform;
  const fitsAcross = !reversesColumns || width % unit.width === 0;
  return fitsAcross && (!reversesRows || height % unit.height === 0);
}

/** Returns undefined if the EXIF data has another orientation than `orientation`. */
function transformSegments(
  segments: readonly JpegSegment[],
  orientation: number,
  { swapsAxes }: Transform,
): JpegSegment[] | undefined {
  let foundOrientation = 1;
  const transformed = removePreviews(segments).map((segment) => {
    const { marker, content } = segment;
    if (marker === markers.app1 && startsWith(content, "Exif\0\0")) {
      const exif = transformExif(content, swapsAxes);
      foundOrientation = exif.orientation;
      return { marker, content: exif.content };
    }
    const isJfif = marker === markers.app0 && startsWith(content, "JFIF\0");
    return isJfif ? { marker, content: transformJfif(content, swapsAxes) } : segment;
  });
  return foundOrientation === orientation ? transformed : undefined;
}

/** The segment with both resolutions exchanged if the axes are. */
function transformJfif(content: Buffer, swapsAxes: boolean): Buffer {
  if (content.length < 14 || !swapsAxes) return content;
  const moved = Buffer.from(content);
  content.copy(moved, 8, 10, 12);
  content.copy(moved, 10, 8, 10);
  return moved;
}
