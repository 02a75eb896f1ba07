import { eraseExifPreviews } from "../previews/exif-previews.ts";
import { erasePhotoshopPreviews } from "../previews/photoshop-previews.ts";
import { eraseXmpPreviews } from "../previews/xmp-previews.ts";
import { type JpegSegment, markers, startsWith } from "./jpeg-file.ts";

/** Segments that are nothing but another picture, a part of one, or a list of those after the end. */
const pictureNames: readonly (readonly [number, string])[] = [
  [markers.app0, "JFXX\0"],
  [markers.app1, "http://ns.adobe.com/xmp/extension/\0"],
  [markers.app1, "FLIR\0"],
  [markers.app2, "MPF\0"],
  [markers.app2, "FPXR\0"],
];

const erasers = [
  [markers.app1, "Exif\0\0", eraseExifPreviews],
  [markers.app1, "http://ns.adobe.com/xap/1.0/\0", eraseXmpPreviews],
  [markers.app13, "Photoshop 3.0\0", erasePhotoshopPreviews],
] as const;

/**
 * The segments of a JPEG whose pixels change, without those pictures that show it as it was: previews in
 * EXIF, XMP, JFIF and Photoshop's resources, and segments that have pictures of their own.
 */
export function removePreviews(segments: readonly JpegSegment[]): JpegSegment[] {
  const kept: JpegSegment[] = [];
  let hadThumbnail = false;
  for (const segment of segments) {
    const { marker, content } = segment;
    if (marker < markers.app0 || marker > markers.app15) {
      kept.push(segment);
      continue;
    }
    const eraser = erasers.find(([known, name]) => known === marker && startsWith(content, name));
    const isPhotoshop = eraser?.[0] === markers.app13;
    // Resources that do not fit into one segment continue in the next.
    if (isPicture(segment, eraser !== undefined) || (isPhotoshop && hadThumbnail)) continue;
    const erased = eraser?.[2](content);
    if (isPhotoshop && erased) hadThumbnail = true;
    kept.push({ marker, content: erased ?? withoutJfifPreview(segment) });
  }
  return kept;
}

function isPicture({ marker, content }: JpegSegment, isMetadata: boolean): boolean {
  if (pictureNames.some(([known, name]) => known === marker && startsWith(content, name))) {
    return true;
  }
  // The tables of a color profile may have the same bytes as the start of a JPEG.
  if (marker === markers.app2 && startsWith(content, "ICC_PROFILE\0")) return false;
  return !isMetadata && content.includes(Buffer.from([0xff, markers.soi, 0xff]));
}

/** JFIF 1.02: the size of an uncompressed preview, and its pixels, follow the first 12 bytes. */
function withoutJfifPreview({ marker, content }: JpegSegment): Buffer {
  const isJfif = marker === markers.app0 && startsWith(content, "JFIF\0");
  return isJfif && content.length >= 14
    ? Buffer.from(content.subarray(0, 14)).fill(0, 12)
    : content;
}
