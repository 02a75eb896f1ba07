import { encodeAs, type StillFormat } from "#lib/engines/image/encode.ts";
import { preparePixels } from "#lib/engines/image/formats/convert.ts";
import { loadSharp, openImage, translateVipsErrors } from "#lib/engines/image/open.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { InputFile, OutputFile } from "#lib/engines/worker/operation.ts";
import { outputName } from "#lib/engines/worker/output-name.ts";
import { mediaType } from "#lib/media/types.ts";
import type { SetImage } from "./write-picture.ts";

export interface SetOptions {
  /** The widths in pixels, ascending. */
  readonly widths: readonly number[];
  readonly formats: readonly StillFormat[];
}

/** Those of `widths` for an image `width` pixels wide, and that width in place of larger ones. */
export function limitWidths(widths: readonly number[], width: number): number[] {
  const smaller = widths.filter((wanted) => wanted < width);
  return smaller.length < widths.length ? [...smaller, width] : smaller;
}

/** Writes the first frame of `input`, upright and in sRGB, in each format and width. */
export async function makeSet(
  input: InputFile,
  { widths, formats }: SetOptions,
  work: WorkFolder,
  progress: (percent: number) => void,
): Promise<(OutputFile & SetImage)[]> {
  const sharp = await loadSharp();
  const source = await openImage(input, work.limits, { firstPage: true });
  const upright = preparePixels(source, {
    format: "png",
    background: "#ffffff",
    appliesProfile: true,
  });
  // Decoded once. Raw pixels have no metadata, such as the place where a photo was taken.
  const { data, info } = await translateVipsErrors(
    upright.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true }),
  );
  const { width, height, channels } = info;
  const raw = { width, height, channels };
  const wanted = limitWidths(widths, width);
  const images: (OutputFile & SetImage)[] = [];
  for (const format of formats) {
    for (const each of wanted) {
      const output = work.output(mediaType(format).extension);
      const filename = outputName(input.filename, { ...output, suffix: `-${each}` });
      const scaled = sharp(data, { raw }).resize({ width: each });
      const opaque = format === "jpeg" ? scaled.flatten({ background: "#ffffff" }) : scaled;
      const encoding = { format, progressive: format === "jpeg" };
      const written = await encodeAs(opaque, encoding).toFile(output.path);
      images.push({ ...output, filename, format, width: written.width, height: written.height });
      progress((100 * images.length) / (formats.length * wanted.length));
    }
  }
  return images;
}
