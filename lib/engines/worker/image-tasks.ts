import type { Metadata } from "sharp";
import { readRegular, statRegular } from "#lib/files/regular-files.ts";
import { type FileLimits, limitError } from "#lib/limits/limits.ts";
import { type Conversion, convertImage } from "../image/formats/convert.ts";
import {
  inputOptions,
  loadSharp,
  openImage,
  optionsFor,
  translateVipsErrors,
} from "../image/open.ts";
import { rasterizeText, type TextOptions } from "../image/rasterize-text.ts";
import { scanImage } from "../image/scan.ts";
import type { VectorSize } from "../image/vector-size.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import type { Suffix } from "./operation.ts";

/** Worker tasks on images and text, for engines and operations that run in the runner. */

export interface TaskOutput {
  readonly outputs: (WorkFile & {
    readonly width?: number;
    readonly height?: number;
    readonly pages?: number;
    readonly suffix?: Suffix;
  })[];
  readonly result?: Record<string, unknown>;
}

/** Renders text into a PNG; one transparent pixel if no glyph is visible. */
export async function renderTextTask(options: TextOptions, work: WorkFolder): Promise<TaskOutput> {
  const sharp = await loadSharp();
  const blank = { data: Buffer.alloc(4), width: 1, height: 1 };
  const { data, width, height } = (await rasterizeText(options)) ?? blank;
  const output = work.scratch("png");
  const raw = { width, height, channels: 4 } as const;
  await sharp(data, { raw }).png({ compressionLevel: 1 }).toFile(output.path);
  return { outputs: [{ ...output, width, height }] };
}

/** Reads the header of an image. */
export async function readHeaderTask(file: WorkFile, { limits }: WorkFolder): Promise<TaskOutput> {
  if (file.extension === "svg") {
    const sharp = await loadSharp();
    const image = sharp(await readSvg(file, limits), inputOptions);
    const metadata = await translateVipsErrors(image.metadata());
    return { outputs: [], result: readHeader(metadata, metadata.height, 1) };
  }
  const image = await openImage(file, limits);
  return { outputs: [], result: readHeader(image.metadata, image.height, image.pages) };
}

function readHeader(metadata: Metadata, height: number, pages: number): Record<string, unknown> {
  const { format, width, space, channels, depth, hasAlpha, hasProfile } = metadata;
  const { orientation, delay, loop, density } = metadata;
  const heif = metadata.compression === "hevc" ? "heic" : "avif";
  const name = format === "heif" ? heif : format;
  const header = { format: name, width, height, space, channels, depth, hasAlpha, hasProfile };
  return { ...header, pages, orientation, delay, loop, density };
}

/** Writes the first frame upright as an sRGB PNG with alpha, scaled to `width` if given. */
export async function normalizeToPngTask(
  file: WorkFile,
  width: number | undefined,
  work: WorkFolder,
): Promise<TaskOutput> {
  const sharp = await loadSharp();
  const input = file.extension === "svg" ? await readSvg(file, work.limits) : file.path;
  const upright = sharp(input, await optionsFor(file)).autoOrient();
  if (width) upright.resize({ width, height: undefined });
  const output = work.scratch("png");
  const info = await translateVipsErrors(
    upright.toColorspace("srgb").ensureAlpha().png({ compressionLevel: 1 }).toFile(output.path),
  );
  return { outputs: [{ ...output, width: info.width, height: info.height }] };
}

/** Converts an image to another format. */
export async function convertTask(
  file: WorkFile,
  conversion: Conversion,
  work: WorkFolder,
  isDecoded: boolean,
): Promise<TaskOutput> {
  return { outputs: [await convertImage(file, conversion, work, isDecoded)] };
}

/** Draws an SVG as a PNG, so large that neither side is shorter than `size` asks for. */
export async function drawSvgTask(
  file: WorkFile,
  size: VectorSize,
  work: WorkFolder,
): Promise<TaskOutput> {
  const sharp = await loadSharp();
  const bytes = await readSvg(file, work.limits);
  const { width, height } = await translateVipsErrors(sharp(bytes, inputOptions).metadata());
  const { imagePixels } = work.limits;
  const scale = Math.max(1, (size.width ?? 1) / width, (size.height ?? 1) / height);
  // libvips draws one pixel per CSS pixel at 72 dpi, and takes at most 100,000 dpi.
  const density = Math.min(72 * scale, 100_000);
  if (width * height * (density / 72) ** 2 > imagePixels)
    throw limitError("imagePixels", imagePixels);
  const output = work.scratch("png");
  const drawn = sharp(bytes, { ...inputOptions, density }).toColorspace("srgb");
  const info = await translateVipsErrors(drawn.png({ compressionLevel: 1 }).toFile(output.path));
  return { outputs: [{ ...output, width: info.width, height: info.height }] };
}

/** Prepares an image for text recognition. */
export async function scanTask(
  file: WorkFile,
  scale: number,
  work: WorkFolder,
): Promise<TaskOutput> {
  const { scale: actual, ...scan } = await scanImage(file, scale, work);
  return { outputs: [scan], result: { scale: actual } };
}

/** An SVG is read into memory as a whole. */
async function readSvg(file: WorkFile, { svgBytes }: FileLimits): Promise<Buffer> {
  if ((await statRegular(file.path)).size > svgBytes) throw limitError("svgBytes", svgBytes);
  return readRegular(file.path);
}
