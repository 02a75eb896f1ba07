import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { Metadata, OutputInfo, Sharp } from "sharp";
import { openRegular } from "#lib/files/regular-files.ts";
import { eraseExifPreviews } from "#lib/formats/previews/exif-previews.ts";
import { erasePhotoshopPreviews } from "#lib/formats/previews/photoshop-previews.ts";
import { eraseXmpPreviews } from "#lib/formats/previews/xmp-previews.ts";
import { removeExifPrefix } from "#lib/formats/webp/webp-chunks.ts";
import { inputOptions, loadSharp, translateVipsErrors } from "./open.ts";

/**
 * An image whose pixels change may have previews of the picture as it was, in its EXIF, XMP and Photoshop
 * data. They would show what a watermark or a pixelated face hides.
 */

/** The bit for text and other fields in sharp's internal option `keepMetadata`. */
const otherBit = 0b10000;

/**
 * Writes `encoded`, a pipeline of an image with `metadata`, without previews. Throws `JobError` if the
 * pixels are damaged.
 */
export async function writeWithoutPreviews(
  encoded: Sharp,
  path: string,
  metadata: Metadata,
): Promise<OutputInfo> {
  const info = await translateVipsErrors(withoutXmpPreviews(encoded, metadata).toFile(path));
  if (info.format === "webp" && metadata.exif) await removeExifPrefix(path);
  await removePreviews(path, metadata);
  return info;
}

/** Returns `pipeline`, whose XMP data gets no previews. */
function withoutXmpPreviews(pipeline: Sharp, { xmp, comments }: Metadata): Sharp {
  // ImageMagick stores EXIF and Photoshop data, with their previews, as text of a PNG.
  if (comments?.some(({ keyword }) => keyword.startsWith("Raw profile type "))) {
    const { options } = pipeline as Sharp & { options: { keepMetadata: number } };
    options.keepMetadata &= ~otherBit;
  }
  const erased = xmp && eraseXmpPreviews(xmp);
  return erased ? pipeline.withXmp(erased.toString("utf8")) : pipeline;
}

/**
 * Removes the previews from the EXIF and Photoshop data of the file `path`, which was written with those
 * of an image with `metadata`. libvips writes both as they are, in one piece, so they are found by their
 * bytes and changed in place.
 */
export async function removePreviews(path: string, metadata: Metadata): Promise<void> {
  if (erasedBlocks(metadata).length === 0) return;
  const sharp = await loadSharp();
  const written = await sharp(path, inputOptions).metadata();
  const blocks = erasedBlocks(written);
  if (blocks.length === 0) return;
  const file = await openRegular(path, "r+");
  try {
    for (const [block, erased] of blocks) {
      for await (const offset of findBytes(file, block)) {
        await file.write(erased, 0, erased.length, offset);
        if (written.format === "png") await writeChecksum(file, offset, erased);
      }
    }
  } finally {
    await file.close();
  }
}

/** The blocks of metadata with previews, and the same without. */
function erasedBlocks({ exif, iptc, tifftagPhotoshop }: Metadata) {
  const candidates = [
    [exif, eraseExifPreviews],
    // libvips calls all of Photoshop's resources in a JPEG so.
    [iptc, erasePhotoshopPreviews],
    [tifftagPhotoshop, erasePhotoshopPreviews],
  ] as const;
  return candidates.flatMap(([block, erase]) => {
    const erased = block && erase(block);
    return erased ? [[block, erased] as const] : [];
  });
}

const windowBytes = 2 ** 20;

/** The offsets of `wanted` in the file. */
async function* findBytes(file: FileHandle, wanted: Buffer): AsyncGenerator<number> {
  const { size } = await file.stat();
  const window = Buffer.alloc(windowBytes + wanted.length - 1);
  for (let start = 0; start < size; start += windowBytes) {
    const { bytesRead } = await file.read(window, 0, window.length, start);
    const found = window.subarray(0, bytesRead);
    for (let at = found.indexOf(wanted); at >= 0; at = found.indexOf(wanted, at + wanted.length)) {
      yield start + at;
    }
  }
}

/** The check sum of a PNG chunk with `content`: it covers the name before it. */
async function writeChecksum(file: FileHandle, offset: number, content: Buffer): Promise<void> {
  const name = Buffer.alloc(4);
  await file.read(name, 0, 4, offset - 4);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(content, crc32(name)));
  await file.write(sum, 0, 4, offset + content.length);
}
