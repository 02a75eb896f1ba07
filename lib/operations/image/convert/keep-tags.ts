import { copyTags } from "#lib/engines/exiftool/exiftool.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { InputFile } from "../../define.ts";

/**
 * Copies EXIF and XMP with exiftool to formats that the encoders write without them: libvips reads and
 * writes none in TIFF files, cjxl takes none from a PNG.
 */
export async function keepTags(
  input: InputFile,
  output: WorkFile,
  signal: AbortSignal,
): Promise<void> {
  const { id } = input.type;
  const isSame = id === output.extension;
  const isLeftOut = id === "tiff" || output.extension === "tiff" || output.extension === "jxl";
  if (isLeftOut && !isSame && output.extension !== "gif") await copyTags(input, output, signal);
}
