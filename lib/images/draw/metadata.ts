import { crc32 } from "node:zlib";
import {
  loadSharp,
  type Metadata,
  type Sharp,
  translateVipsErrors,
} from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import type { ImagePlan } from "../plan/plan.ts";
import { readCopyright, toUpright } from "./exif.ts";

/**
 * A picture with what it keeps of the source's metadata, in a worker: the copyright, or with
 * `strip_metadata` off all of it.
 */
export async function keepMetadata(
  image: Sharp,
  metadata: Metadata,
  plan: ImagePlan,
  work: WorkFolder,
): Promise<Sharp> {
  const { stripMetadata, keepCopyright, stripColorProfile } = plan;
  const described = stripMetadata
    ? addCopyright(image, keepCopyright ? metadata.exif : undefined)
    : await addAll(image, metadata, work);
  return stripColorProfile || !metadata.icc ? described : described.keepIccProfile();
}

function addCopyright(image: Sharp, exif: Buffer | undefined): Sharp {
  const copyright = readCopyright(exif);
  return Object.keys(copyright).length > 0 ? image.withExif({ IFD0: copyright }) : image;
}

/** Images that were computed from samples have no metadata of their own. */
async function addAll(
  image: Sharp,
  { exif, xmpAsString }: Metadata,
  work: WorkFolder,
): Promise<Sharp> {
  const { format, pageHeight } = await translateVipsErrors(image.metadata());
  if (format !== "raw") return image.keepExif().keepXmp();
  // A PNG has no frames.
  const described =
    exif && !pageHeight ? await addExif(image, exif, work) : addCopyright(image, exif);
  return xmpAsString ? described.withXmp(xmpAsString) : described;
}

/** The bytes of a PNG before its second chunk. */
const pngStartBytes = 33;

/** sharp writes only EXIF data that it has read, so it reads it in a PNG of the same pixels. */
async function addExif(image: Sharp, exif: Buffer, work: WorkFolder): Promise<Sharp> {
  const sharp = await loadSharp();
  const encoded = image.toColorspace("srgb").png({ compressionLevel: 0 }).toBuffer();
  const png = await translateVipsErrors(encoded);
  const start = png.subarray(0, pngStartBytes);
  const chunk = pngChunk("eXIf", toUpright(exif));
  const { path } = work.scratch("png");
  await writeNew(path, Buffer.concat([start, chunk, png.subarray(pngStartBytes)]));
  return sharp(path).keepExif();
}

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}
