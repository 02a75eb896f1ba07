import { statRegular } from "#lib/files/regular-files.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import type { VectorSize } from "../image/vector-size.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { drawSvg } from "../worker/image/image-info.ts";
import type { InputFile } from "../worker/operation.ts";
import { copyToMov, decodeToFlac } from "./audio.ts";
import { toStillAvif } from "./avif-still.ts";
import { bitmapToPng } from "./bitmap.ts";
import { dropExtraChannels } from "./extra-channels.ts";
import { readRawPhoto } from "./raw-photo.ts";
import { type ImportableType, isImportable, type RawMode } from "./types.ts";
import { decodeWithVips } from "./vips.ts";

export interface ImportOptions {
  readonly raw: RawMode;
  /** A drawing is made at least this large, so that it is not scaled up later. */
  readonly size: VectorSize;
}

/**
 * Returns `input`, converted if operations cannot write its type; of an animated AVIF, the first frame; of a
 * TIFF, the channels of an image. Throws `JobError`: `corrupt`,
 * `too_complex`, `timed_out`, `out_of_memory`.
 */
export async function importFile(
  input: InputFile,
  options: ImportOptions,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<InputFile> {
  const { id } = input.type;
  if (id === "avif") return toStillAvif(input, work);
  if (id !== "tiff" && !isImportable(id)) return input;
  const file =
    id === "tiff"
      ? await dropExtraChannels(input, work, signal)
      : await convert(id, input, options, work, signal);
  if (!file) return input;
  const { size } = await statRegular(file.path);
  const { filename, url } = input;
  return {
    ...file,
    type: mediaTypeOfExtension(file.extension),
    bytes: size,
    filename,
    ...(url ? { url } : {}),
  };
}

async function convert(
  type: ImportableType,
  file: InputFile,
  { raw, size }: ImportOptions,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  switch (type) {
    case "heic":
      return decodeWithVips({ file, loader: "heifload", to: "jpg" }, work, signal);
    case "jxl":
      return decodeWithVips({ file, loader: "jxlload", to: "png" }, work, signal);
    case "jp2":
      return decodeWithVips({ file, loader: "jp2kload", to: "png" }, work, signal);
    case "bmp":
    case "ico":
      return bitmapToPng(file, type, work, signal);
    case "dng":
    case "raw":
      return readRawPhoto(file, raw, work, signal);
    case "aiff":
    case "caf":
    case "amr":
    case "ac3":
    case "wv":
    case "wma":
      return decodeToFlac(file, work, signal);
    case "mxf":
      return copyToMov(file, work, signal);
    case "svg":
      return drawSvg(file, size, work, signal);
  }
}
