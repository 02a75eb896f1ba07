import { eraseJpegImages } from "./embedded-jpeg.ts";
import { eraseXmpPreviews } from "./xmp-previews.ts";

/** Adobe Photoshop File Formats Specification, Image Resource Blocks. */
const jpegPrefix = "Photoshop 3.0\0";
const signature = "8BIM";
const thumbnailIds: ReadonlySet<number> = new Set([0x0409, 0x040c]);
/** The first id that is free for plug-ins: readers ignore it. */
const pluginId = 4000;

/**
 * Photoshop's image resources without previews, which show the picture as it was: thumbnails, and those in
 * the resources that hold EXIF and XMP. A thumbnail becomes a resource of zeros that readers ignore, so
 * that the length stays. `resources` may begin as a JPEG segment does. Undefined if there is no preview.
 */
export function erasePhotoshopPreviews(resources: Buffer): Buffer | undefined {
  const cleaned = Buffer.from(resources);
  const hasPrefix = cleaned.toString("latin1", 0, jpegPrefix.length) === jpegPrefix;
  for (let at = hasPrefix ? jpegPrefix.length : 0; at + 12 <= cleaned.length; ) {
    if (cleaned.toString("latin1", at, at + 4) !== signature) break;
    // The name, with its length before it, has an even number of bytes, as the data has.
    const sizeAt = at + 6 + toEven(1 + (cleaned[at + 6] ?? 0));
    if (sizeAt + 4 > cleaned.length) break;
    const size = cleaned.readUInt32BE(sizeAt);
    if (thumbnailIds.has(cleaned.readUInt16BE(at + 4))) {
      cleaned.writeUInt16BE(pluginId, at + 4);
      cleaned.subarray(sizeAt + 4, sizeAt + 4 + size).fill(0);
    }
    at = sizeAt + 4 + toEven(size);
  }
  eraseJpegImages(cleaned);
  const erased = eraseXmpPreviews(cleaned) ?? cleaned;
  return erased.equals(resources) ? undefined : erased;
}

const toEven = (length: number) => length + (length % 2);
