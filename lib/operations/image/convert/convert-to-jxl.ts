import { defaultQuality } from "#lib/engines/image/encode.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { type Conversion, convertImage } from "#lib/engines/worker/image/convert-image.ts";
import type { InputFile, OutputFile } from "../../define.ts";
import { encodeJxl, packJpeg } from "./cjxl.ts";
import { keepTags } from "./keep-tags.ts";

/**
 * Converts an image to JPEG XL with all frames. Without a quality, a JPEG is packed as it is. Throws
 * `JobError`.
 */
export async function convertToJxl(
  input: InputFile,
  options: Omit<Conversion, "format">,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<OutputFile> {
  const { quality = defaultQuality.jxl, lossless = false, progressive = false } = options;
  const output = work.output("jxl");
  // Also shows whether the image is damaged; cjxl packs what it can read.
  const decoded = await convertImage(input, { ...options, format: "apng" }, work, signal, {
    isScratch: true,
  });
  const { width, height } = decoded;
  const isJpeg = input.type.id === "jpeg" && !input.encoding;
  const isPacked = isJpeg && (lossless || options.quality === undefined);
  if (isPacked && (await packJpeg(input, output, work, signal))) {
    return { ...output, width, height };
  }
  const encoding = { quality, lossless, progressive, pixels: width * height };
  await encodeJxl(decoded, output, encoding, work, signal);
  await keepTags(input, output, signal);
  return { ...output, width, height };
}
