import { openRegular } from "#lib/files/regular-files.ts";

/** An APP1 segment has at most 64 KB, and the EXIF segment is one of the first. */
const searchedBytes = 2 ** 18;

/**
 * Removes the preview image from the EXIF data of a JPEG file, which shows the image as it was. The
 * preview is in the second directory of a TIFF structure; the link to it is cleared in place.
 */
export async function removeThumbnail(path: string): Promise<void> {
  const file = await openRegular(path, "r+");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(searchedBytes), 0, searchedBytes, 0);
    const link = findThumbnailLink(buffer.subarray(0, bytesRead));
    if (link !== undefined) await file.write(Buffer.alloc(4), 0, 4, link);
  } finally {
    await file.close();
  }
}

/** The position of the offset at the end of the first directory. */
function findThumbnailLink(bytes: Buffer): number | undefined {
  const marker = bytes.indexOf("Exif\0\0", 0, "latin1");
  if (marker < 0) return undefined;
  const tiff = marker + 6;
  const isLittle = bytes.toString("latin1", tiff, tiff + 2) === "II";
  const uint = (at: number, length: number) => {
    if (at + length > bytes.length) return 0;
    return isLittle ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length);
  };
  const directory = tiff + uint(tiff + 4, 4);
  const link = directory + 2 + 12 * uint(directory, 2);
  return uint(link, 4) === 0 ? undefined : link;
}
