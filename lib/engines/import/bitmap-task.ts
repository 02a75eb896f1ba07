import { openRegular, writeNew } from "#lib/files/regular-files.ts";
import { decodeBmp, decodeIconBitmap } from "#lib/formats/bitmap/decode.ts";
import { readLargestIcon } from "#lib/formats/bitmap/icon.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import { loadSharp, openImage, translateVipsErrors } from "../image/open.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import type { WorkerCall } from "../worker/worker-function.ts";

export interface BitmapOptions {
  readonly type: "bmp" | "ico";
}

/** Headers, palettes and small images of an icon, in addition to the pixels. */
const otherBytes = 2 ** 20;

/** Worker function: writes a BMP file, or the largest image of an ICO file, as a PNG. */
export const decodeBitmap = async ({ files, options, work }: WorkerCall<BitmapOptions>) => {
  const [file] = files;
  if (!file) throw new Error("a file is needed");
  const bytes = await readBytes(file, work.limits);
  if (options.type === "bmp")
    return { outputs: [await writePng(decodeBmp(bytes, work.limits), work)] };
  const icon = readLargestIcon(bytes);
  if (icon.kind === "png") return { outputs: [await copyPng(icon.bytes, work)] };
  return { outputs: [await writePng(decodeIconBitmap(icon.bytes, work.limits), work)] };
};

/** Reads at most the bytes of an image of four bytes per pixel that is as large as allowed. */
async function readBytes({ path }: WorkFile, { imagePixels }: FileLimits): Promise<Buffer> {
  const handle = await openRegular(path);
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.min(size, imagePixels * 4 + otherBytes));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

async function writePng(
  { rgba, width, height, hasAlpha, density }: ReturnType<typeof decodeBmp>,
  work: WorkFolder,
): Promise<WorkFile> {
  const sharp = await loadSharp();
  const image = sharp(rgba, { raw: { width, height, channels: 4 } });
  if (!hasAlpha) image.removeAlpha();
  if (density) image.withMetadata({ density });
  const output = work.output("png");
  await image.png({ compressionLevel: 1 }).toFile(output.path);
  return output;
}

/** The pixels of a PNG, without what else is in the file. */
async function copyPng(bytes: Buffer, work: WorkFolder): Promise<WorkFile> {
  const file = work.scratch("png");
  await writeNew(file.path, bytes);
  const image = await openImage(file, work.limits);
  const output = work.output("png");
  await translateVipsErrors(image.pipeline().png({ compressionLevel: 1 }).toFile(output.path));
  return output;
}
